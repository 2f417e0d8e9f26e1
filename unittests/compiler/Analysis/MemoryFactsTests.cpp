//===- MemoryFactsTests.cpp - Calls, constant memory, clocks and loops ----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/Clocks.h"
#include "compiler/Analysis/ConstantMemory.h"
#include "compiler/Analysis/RegionFlow.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

//===----------------------------------------------------------------------===//
// ConstantMemory
//===----------------------------------------------------------------------===//

/// Returns whether the load that `body` marks with {load} is claimed to read constant memory.
bool readsConstant(const std::string &parameters, const std::string &body) {
  GrainContext own;
  ParsedKernel parsed(kernelText(parameters, body,
                                 "llvm.mlir.global internal constant @table(7 : i32) : i32\n"
                                 "llvm.mlir.global external @variable() : i32\n"
                                 "llvm.func @reads(!llvm.ptr)\n"),
                      own.context);
  auto load = cast<LLVM::LoadOp>(parsed.only("load"));
  ConstantMemory memory;
  bool first = memory.isReadBy(load);
  EXPECT_EQ(first, memory.isReadBy(load)) << "the answer is the same when it is asked again";
  return first;
}

const std::string load = "%v = llvm.load %p {load} : !llvm.ptr -> i32\n";
const std::string onlyName = "%p: !llvm.ptr {llvm.noalias}";

TEST(ConstantMemory, AParameterThatIsOnlyReadIsConstantIfNothingAliasesIt) {
  EXPECT_TRUE(readsConstant(onlyName, load));
  EXPECT_TRUE(readsConstant("%p: !llvm.ptr {llvm.byval = i32}", load));
  EXPECT_FALSE(readsConstant("%p: !llvm.ptr", load));
}

TEST(ConstantMemory, AnyOtherUseOfTheParameterMakesItUnknown) {
  const std::string one = "%one = arith.constant 1 : i32\n";
  const std::string part =
      "%e = llvm.getelementptr %p[%one] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n";
  EXPECT_TRUE(readsConstant(onlyName, one + part + load));
  EXPECT_FALSE(
      readsConstant(onlyName, one + part + load + "llvm.store %one, %e : i32, !llvm.ptr\n"));
  EXPECT_FALSE(readsConstant(onlyName, load + "llvm.store %p, %p : !llvm.ptr, !llvm.ptr\n"));
  EXPECT_FALSE(readsConstant(onlyName, load + "llvm.call @reads(%p) : (!llvm.ptr) -> ()\n"));
  EXPECT_FALSE(readsConstant(onlyName + ", %c: i1, %q: !llvm.ptr",
                             load + "%s = arith.select %c, %p, %q : !llvm.ptr\n"));
  EXPECT_FALSE(readsConstant(onlyName, load + "%w = llvm.load volatile %p : !llvm.ptr -> i32\n"));
}

TEST(ConstantMemory, VariablesAreConstantIfTheyAreDeclaredSo) {
  auto from = [](const std::string &name) {
    return "%p = llvm.mlir.addressof @" + name + " : !llvm.ptr\n" + load;
  };
  EXPECT_TRUE(readsConstant("", from("table")));
  EXPECT_FALSE(readsConstant("", from("variable")));
}

TEST(ConstantMemory, TheConstantSpaceAndInvariantLoadsAreConstant) {
  EXPECT_TRUE(
      readsConstant("%p: !llvm.ptr", "%v = llvm.load %p invariant {load} : !llvm.ptr -> i32\n"));
  EXPECT_TRUE(
      readsConstant("%p: !llvm.ptr<4>", "%v = llvm.load %p {load} : !llvm.ptr<4> -> i32\n"));
  EXPECT_TRUE(readsConstant("%q: !llvm.ptr<4>",
                            "%p = llvm.addrspacecast %q : !llvm.ptr<4> to !llvm.ptr\n" + load));
  EXPECT_FALSE(
      readsConstant("%p: !llvm.ptr<1>", "%v = llvm.load %p {load} : !llvm.ptr<1> -> i32\n"));
}

TEST(ConstantMemory, OrderedLoadsAreNever) {
  EXPECT_FALSE(readsConstant("%p: !llvm.ptr<4>",
                             "%v = llvm.load volatile %p {load} : !llvm.ptr<4> -> i32\n"));
  EXPECT_FALSE(readsConstant(
      "%p: !llvm.ptr<4>",
      "%v = llvm.load %p atomic monotonic {alignment = 4 : i64, load} : !llvm.ptr<4> -> i32\n"));
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

/// Returns whether a time is found to be stored.
bool storesTime(const std::string &body) {
  GrainContext own;
  ParsedKernel parsed(
      kernelText("%p: !llvm.ptr, %n: i32",
                 "%one = arith.constant 1 : i32\n%a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr\n"
                 "%t = nvvm.read.ptx.sreg.clock : i32\n" +
                     body,
                 "llvm.func @timer() -> i32 attributes {grain.callee = #grain.callee<clock, "
                 "convergence = none>}\n"),
      own.context);
  Operation *found = findStoredTime(parsed.kernel());
  EXPECT_TRUE(!found || (isa<LLVM::StoreOp, LLVM::AtomicRMWOp>(found)));
  return found;
}

TEST(Clocks, AStoredTimeIsFoundBehindArithmetic) {
  EXPECT_TRUE(storesTime("llvm.store %t, %p : i32, !llvm.ptr\n"));
  EXPECT_TRUE(storesTime("%u = nvvm.read.ptx.sreg.clock : i32\n%d = arith.subi %u, %t : i32\n"
                         "%w = arith.extui %d : i32 to i64\nllvm.store %w, %p : i64, !llvm.ptr\n"));
  EXPECT_TRUE(storesTime("%x = llvm.atomicrmw add %p, %t monotonic : !llvm.ptr, i32\n"));
  EXPECT_TRUE(
      storesTime("%u = llvm.call @timer() : () -> i32\nllvm.store %u, %p : i32, !llvm.ptr\n"));
}

TEST(Clocks, WhatDoesNotKeepTheTimeIsNotFound) {
  EXPECT_FALSE(storesTime("llvm.store %t, %a : i32, !llvm.ptr\n")) << "it ends with the thread";
  EXPECT_FALSE(storesTime("%c = arith.cmpi slt, %t, %n : i32\n%w = arith.extui %c : i1 to i32\n"
                          "llvm.store %w, %p : i32, !llvm.ptr\n"))
      << "a condition";
  EXPECT_FALSE(storesTime("%e = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n"
                          "llvm.store %n, %e : i32, !llvm.ptr\n"))
      << "an address";
  EXPECT_FALSE(storesTime(""));
}

//===----------------------------------------------------------------------===//
// Callee
//===----------------------------------------------------------------------===//

/// Returns the only call of a function with these attributes, with an argument or without.
struct Called {
  Called(const std::string &attributes, bool takesArgument = true)
      : parsed(kernelText("%n: i32",
                          takesArgument ? "%r = llvm.call @f(%n) {call} : (i32) -> i32\n"
                                        : "%r = llvm.call @f() {call} : () -> i32\n",
                          std::string("llvm.func @f(") + (takesArgument ? "i32" : "") +
                              ") -> i32 attributes {" + attributes + "}\n"),
               own.context) {}
  LLVM::CallOp call() { return cast<LLVM::CallOp>(parsed.only("call")); }

  GrainContext own;
  ParsedKernel parsed;
};

const std::string pureFacts = "grain.callee = #grain.callee<math, convergence = none>";
const std::string noMemory = "memory = #llvm.memory_effects<other = none, argMem = none, "
                             "inaccessibleMem = none>";
const std::string hiddenMemory = "memory = #llvm.memory_effects<other = none, argMem = none, "
                                 "inaccessibleMem = readwrite>";

TEST(Callee, AFunctionWithoutFactsMayDoAnything) {
  Called unknown("");
  EXPECT_EQ(kindOf(unknown.call()), CalleeKind::Unknown);
  EXPECT_EQ(convergenceOf(unknown.call()), Convergence::Unknown);
  EXPECT_FALSE(isPureCall(unknown.call()));
  EXPECT_FALSE(touchesNoMemory(unknown.call()));
  EXPECT_TRUE(hasEffect(unknown.call()));
}

TEST(Callee, APureCallTouchesNoMemoryAndNeedsNoOtherThread) {
  EXPECT_TRUE(isPureCall(Called(pureFacts + ", " + noMemory).call()));
  EXPECT_FALSE(hasEffect(Called(pureFacts + ", " + noMemory).call()));
  EXPECT_FALSE(isPureCall(Called(pureFacts).call())) << "it may read memory";
  EXPECT_FALSE(isPureCall(Called(noMemory).call())) << "it may synchronise";
  EXPECT_FALSE(isPureCall(
      Called("grain.callee = #grain.callee<exchange, convergence = warp>, " + noMemory).call()));
  EXPECT_FALSE(isPureCall(
      Called("grain.callee = #grain.callee<clock, convergence = none>, " + noMemory).call()));
}

TEST(Callee, ACallWithoutOperandsReadsARegister) {
  EXPECT_FALSE(isPureCall(Called(pureFacts + ", " + noMemory, /*takesArgument=*/false).call()));
}

TEST(Callee, HiddenMemoryIsNoneOfTheProgram) {
  Called hidden(pureFacts + ", " + hiddenMemory);
  EXPECT_TRUE(touchesNoMemory(hidden.call()));
  EXPECT_FALSE(isPureCall(hidden.call()));
}

//===----------------------------------------------------------------------===//
// RegionFlow
//===----------------------------------------------------------------------===//

using Edges = std::vector<std::pair<Value, Value>>;

Edges edgesOf(Operation *op) {
  Edges edges;
  EXPECT_TRUE(visitLoopFlow(op, [&](ValueRange sources, ValueRange targets) {
    for (auto [source, target] : llvm::zip_equal(sources, targets))
      edges.push_back({source, target});
  }));
  return edges;
}

TEST(RegionFlow, EveryArgumentAndResultHasItsSources) {
  GrainContext own;
  ParsedKernel parsed(kernelText("%n: i32, %c: i1", R"(
    %one = arith.constant 1 : i32
    %f:2 = scf.for %i = %one to %n step %one iter_args(%a = %n, %b = %one) -> (i32, i32) : i32 {
      scf.yield %b, %i : i32, i32
    } {for}
    %w = scf.while (%x = %n, %y = %one) : (i32, i32) -> (i32) {
      scf.condition(%c) %y : i32
    } do {
    ^bb0(%z: i32):
      scf.yield %z, %one : i32, i32
    } attributes {while}
    scf.if %c {
    } {if}
)"),
                      own.context);
  auto loop = cast<scf::ForOp>(parsed.only("for"));
  Value n = parsed.kernel().getBody().getArgument(0), one = loop.getStep();
  auto carried = loop.getRegionIterArgs();
  EXPECT_EQ(edgesOf(loop), (Edges{{n, carried[0]},
                                  {one, carried[1]},
                                  {carried[1], carried[0]},
                                  {loop.getInductionVar(), carried[1]},
                                  {carried[0], loop.getResult(0)},
                                  {carried[1], loop.getResult(1)}}));
  auto other = cast<scf::WhileOp>(parsed.only("while"));
  auto before = other.getBeforeArguments();
  Value after = other.getAfterArguments()[0];
  EXPECT_EQ(edgesOf(other), (Edges{{n, before[0]},
                                   {one, before[1]},
                                   {after, before[0]},
                                   {one, before[1]},
                                   {before[1], after},
                                   {before[1], other.getResult(0)}}));
  bool wasCalled = false;
  EXPECT_FALSE(visitLoopFlow(parsed.only("if"), [&](ValueRange, ValueRange) { wasCalled = true; }));
  EXPECT_FALSE(wasCalled);
}

} // namespace
