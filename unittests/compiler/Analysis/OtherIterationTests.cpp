//===- OtherIterationTests.cpp - Accesses in different iterations ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Access.h"

#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace regrain;

namespace {

/// Returns whether a store of `type` at `index` and a load at `other` may touch the same byte in
/// different iterations of a loop over %j from %tx on. Both count elements of f32.
bool mayMeet(const std::string &index, const std::string &other, const std::string &step = "1",
             const std::string &type = "f32") {
  GrainContext context;
  ParsedKernel parsed(
      kernelText("%p: !llvm.ptr, %q: !llvm.ptr {llvm.noalias}, %n: i32, %v: " + type,
                 "%c1 = arith.constant 1 : i32\n%step = arith.constant " + step +
                     " : i32\nscf.for %j = %tx to %n step %step : i32 {\n" + index + other +
                     "%to = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, "
                     "f32\nllvm.store %v, %to {store} : " +
                     type +
                     ", !llvm.ptr\n%from = llvm.getelementptr inbounds %p[%k] : (!llvm.ptr, i32) "
                     "-> !llvm.ptr, f32\n%w = llvm.load %from {load} : !llvm.ptr -> " +
                     type + "\n}\n"),
      context.context);
  Accesses accesses(parsed.kernel());
  mlir::Operation *store = parsed.only("store"), *load = parsed.only("load");
  bool may = accesses.mayAliasInOtherIteration(*accesses.of(store), *accesses.of(load),
                                               store->getParentOfType<mlir::scf::ForOp>());
  EXPECT_EQ(may, accesses.mayAliasInOtherIteration(*accesses.of(load), *accesses.of(store),
                                                   store->getParentOfType<mlir::scf::ForOp>()));
  return may;
}

std::string sum(const std::string &name, const std::string &a, const std::string &b) {
  return name + " = arith.addi " + a + ", " + b + " overflow<nsw> : i32\n";
}

TEST(OtherIteration, TheSameElementOfTheCounterIsAnotherOne) {
  EXPECT_FALSE(mayMeet(sum("%i", "%j", "%n"), sum("%k", "%j", "%n")));
}

TEST(OtherIteration, NeighboursAreThoseOfOtherIterations) {
  EXPECT_TRUE(mayMeet(sum("%i", "%j", "%n"), sum("%a", "%j", "%n") + sum("%k", "%a", "%c1")));
  EXPECT_FALSE(mayMeet(sum("%i", "%j", "%n"), sum("%a", "%j", "%n") + sum("%k", "%a", "%c1"), "2"));
}

TEST(OtherIteration, WideAccessesReachTheNextElement) {
  EXPECT_TRUE(mayMeet(sum("%i", "%j", "%n"), sum("%k", "%j", "%n"), "1", "f64"));
  EXPECT_FALSE(mayMeet(sum("%i", "%j", "%n"), sum("%k", "%j", "%n"), "2", "f64"));
}

TEST(OtherIteration, APlaceThatDoesNotMoveIsTheSame) {
  EXPECT_TRUE(mayMeet(sum("%i", "%n", "%c1"), sum("%k", "%n", "%c1")));
}

TEST(OtherIteration, AnOrOfDisjointBitsIsASum) {
  const std::string low = "%c3 = arith.constant 3 : i32\n%l = arith.andi %ty, %c3 : i32\n"
                          "%h = arith.shli %j, %s overflow<nsw> : i32\n";
  auto either = [&](const std::string &name) { return name + " = arith.ori %h, %l : i32\n"; };
  for (auto [shift, meets] : {std::pair("2", false), {"1", true}})
    EXPECT_EQ(mayMeet("%s = arith.constant " + std::string(shift) + " : i32\n" + low + either("%i"),
                      either("%k")),
              meets)
        << shift;
}

} // namespace
