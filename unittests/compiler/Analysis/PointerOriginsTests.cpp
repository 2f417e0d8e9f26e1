//===- PointerOriginsTests.cpp - Where pointers come from -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/PointerOrigins.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

constexpr const char *parameters =
    "%p: !llvm.ptr, %q: !llvm.ptr, %s: !llvm.ptr {llvm.byval = !llvm.struct<(ptr, i32, ptr)>}, "
    "%i: i32, %c: i1";
constexpr const char *declarations = "llvm.mlir.global external @variable() : i32\n"
                                     "llvm.func @make() -> !llvm.ptr\n";

/// Returns whether the pointer %r, which `body` computes, is proved to come from the arguments.
bool isFromArguments(const std::string &body) {
  GrainContext own;
  ParsedKernel parsed(kernelText(parameters,
                                 "%one = arith.constant 1 : i32\n" + body +
                                     "\n%read = llvm.load %r {read} : !llvm.ptr -> i32\n",
                                 declarations),
                      own.context);
  Accesses accesses(parsed.kernel());
  PointerOrigins origins(parsed.kernel(), accesses);
  return origins.isFromArguments(parsed.only("read")->getOperand(0));
}

const std::string stack = "%a = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr\n";
const std::string back = "%r = llvm.load %a : !llvm.ptr -> !llvm.ptr\n";

TEST(PointerOrigins, AddressesThatAreGivenOrNamedComeFromArguments) {
  EXPECT_TRUE(
      isFromArguments("%r = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32"));
  EXPECT_TRUE(isFromArguments("%r = arith.select %c, %p, %q : !llvm.ptr"));
  EXPECT_TRUE(isFromArguments("%r = llvm.mlir.addressof @variable : !llvm.ptr"));
  EXPECT_TRUE(isFromArguments("%r = llvm.alloca %one x i32 : (i32) -> !llvm.ptr"));
  EXPECT_TRUE(isFromArguments("%r = scf.if %c -> (!llvm.ptr) {\n scf.yield %p : !llvm.ptr\n"
                              "} else {\n scf.yield %q : !llvm.ptr\n}"));
}

TEST(PointerOrigins, NumbersCallsAndLoadedAddressesDoNot) {
  EXPECT_FALSE(isFromArguments("%n = llvm.ptrtoint %p : !llvm.ptr to i64\n"
                               "%r = llvm.inttoptr %n : i64 to !llvm.ptr"));
  EXPECT_FALSE(isFromArguments("%r = llvm.call @make() : () -> !llvm.ptr"));
  EXPECT_FALSE(isFromArguments("%r = llvm.load %p : !llvm.ptr -> !llvm.ptr"));
  EXPECT_FALSE(isFromArguments("%x = llvm.load %p : !llvm.ptr -> !llvm.ptr\n"
                               "%r = arith.select %c, %x, %q : !llvm.ptr"));
  EXPECT_FALSE(isFromArguments("%x = llvm.load %p : !llvm.ptr -> !llvm.ptr\n"
                               "%r = scf.if %c -> (!llvm.ptr) {\n scf.yield %p : !llvm.ptr\n"
                               "} else {\n scf.yield %x : !llvm.ptr\n}"));
}

TEST(PointerOrigins, AWordOfAParameterIsAnArgument) {
  auto at = [](const std::string &bytes) {
    return "%w = llvm.getelementptr %s[" + bytes +
           "] : (!llvm.ptr) -> !llvm.ptr, i8\n"
           "%r = llvm.load %w : !llvm.ptr -> !llvm.ptr";
  };
  EXPECT_TRUE(isFromArguments(at("0")));
  EXPECT_TRUE(isFromArguments(at("16")));
  EXPECT_FALSE(isFromArguments(at("12"))) << "half of one word and half of the next";
  EXPECT_TRUE(
      isFromArguments("%w = llvm.getelementptr %s[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64\n"
                      "%r = llvm.load %w : !llvm.ptr -> !llvm.ptr"));
  EXPECT_FALSE(
      isFromArguments("%w = llvm.getelementptr %s[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n"
                      "%r = llvm.load %w : !llvm.ptr -> !llvm.ptr"));
}

TEST(PointerOrigins, OwnMemoryHoldsWhatIsStoredThere) {
  EXPECT_TRUE(isFromArguments(stack + "llvm.store %p, %a : !llvm.ptr, !llvm.ptr\n" + back));
  EXPECT_FALSE(isFromArguments(stack +
                               "%x = llvm.load %p : !llvm.ptr -> !llvm.ptr\n"
                               "llvm.store %x, %a : !llvm.ptr, !llvm.ptr\n" +
                               back));
  EXPECT_FALSE(isFromArguments(stack +
                               "%n = llvm.load %p : !llvm.ptr -> i64\n"
                               "llvm.store %n, %a : i64, !llvm.ptr\n" +
                               back))
      << "the number may be any address";
}

TEST(PointerOrigins, AStoreBehindALoadCountsInALoop) {
  EXPECT_FALSE(isFromArguments(
      "%a = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr\n"
      "%l = scf.for %k = %one to %i step %one iter_args(%t = %p) -> (!llvm.ptr) : i32 {\n"
      "  %u = llvm.load %a : !llvm.ptr -> !llvm.ptr\n"
      "  %x = llvm.load %p : !llvm.ptr -> !llvm.ptr\n"
      "  llvm.store %x, %a : !llvm.ptr, !llvm.ptr\n"
      "  scf.yield %u : !llvm.ptr\n}\n"
      "%r = llvm.getelementptr %l[0] : (!llvm.ptr) -> !llvm.ptr, i32"));
}

TEST(PointerOrigins, AStoreThroughAnUnknownPointerFillsAllMemory) {
  const std::string unknown = "%x = llvm.load %p : !llvm.ptr -> !llvm.ptr\n"
                              "llvm.store %x, %x : !llvm.ptr, !llvm.ptr\n";
  const std::string known = stack + "llvm.store %p, %a : !llvm.ptr, !llvm.ptr\n";
  EXPECT_FALSE(isFromArguments(known + unknown + back));
}

TEST(PointerOrigins, LoopsCarryPointers) {
  auto loop = [](const std::string &next) {
    return "%x = llvm.load %p : !llvm.ptr -> !llvm.ptr\n"
           "%r, %end = scf.while (%t = %p, %v = %p) : (!llvm.ptr, !llvm.ptr) -> (!llvm.ptr, "
           "!llvm.ptr) {\n"
           "  scf.condition(%c) %t, %v : !llvm.ptr, !llvm.ptr\n"
           "} do {\n^bb0(%t: !llvm.ptr, %v: !llvm.ptr):\n"
           "  scf.yield %v, " +
           next + " : !llvm.ptr, !llvm.ptr\n}\n";
  };
  EXPECT_TRUE(isFromArguments(loop("%q")));
  EXPECT_FALSE(isFromArguments(loop("%x"))) << "it arrives in the second iteration";
}

TEST(PointerOrigins, AnOperationThatIsNotKnownMakesUnknownPointers) {
  EXPECT_FALSE(isFromArguments("%r = scf.execute_region -> !llvm.ptr {\n"
                               "  scf.yield %p : !llvm.ptr\n}"));
}

} // namespace
