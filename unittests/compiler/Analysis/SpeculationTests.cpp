//===- SpeculationTests.cpp - What may run anywhere -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Speculation.h"
#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace mlir;
using namespace regrain;

namespace {

bool mayRun(const std::string &operation, const std::string &declarations = "") {
  static GrainContext own;
  ParsedKernel parsed(
      kernelText("%p: !llvm.ptr, %a: i4, %b: i4, %c: i1, %x: f32", operation, declarations),
      own.context);
  return mayRunAnywhere(parsed.only("op"));
}

TEST(Speculation, DivisionsNeedADivisorForWhichAllIsDefined) {
  for (bool isSigned : {false, true})
    for (bool isRemainder : {false, true})
      for (bool isLLVM : {false, true})
        for (int divisor = -8; divisor < 8; ++divisor) {
          std::string name = std::string(isRemainder ? "rem" : "div");
          std::string number = std::to_string(divisor);
          std::string text = isLLVM
                                 ? "%d = llvm.mlir.constant(" + number + " : i4) : i4\n%r = llvm." +
                                       (isSigned ? "s" : "u") + name + " %a, %d {op} : i4\n"
                                 : "%d = arith.constant " + number + " : i4\n%r = arith." + name +
                                       (isSigned ? "si" : "ui") + " %a, %d {op} : i4\n";
          // -8 / -1 is no number of four bits.
          bool isDefined = divisor != 0 && !(isSigned && divisor == -1);
          EXPECT_EQ(mayRun(text), isDefined) << text;
        }
}

TEST(Speculation, AnUnknownDivisorMayBeZero) {
  EXPECT_FALSE(mayRun("%r = arith.divui %a, %b {op} : i4\n"));
  EXPECT_FALSE(mayRun("%r = arith.remsi %a, %b {op} : i4\n"));
  EXPECT_FALSE(mayRun("%r = llvm.urem %a, %b {op} : i4\n"));
}

TEST(Speculation, WhatTouchesMemoryMayNot) {
  EXPECT_TRUE(mayRun("%r = arith.addi %a, %b {op} : i4\n"));
  EXPECT_TRUE(mayRun("%r = llvm.getelementptr %p[1] {op} : (!llvm.ptr) -> !llvm.ptr, i32\n"));
  EXPECT_FALSE(mayRun("%r = llvm.load %p {op} : !llvm.ptr -> i4\n"));
  EXPECT_FALSE(mayRun("llvm.store %a, %p {op} : i4, !llvm.ptr\n"));
  EXPECT_FALSE(mayRun("grain.barrier (%tx, %ty, %tz) {op}\n"));
}

TEST(Speculation, OnlyPureMathFunctionsMay) {
  auto call = [](const std::string &kind, const std::string &memory) {
    return mayRun("%r = llvm.call @f(%x) {op} : (f32) -> f32\n",
                  "llvm.func @f(f32) -> f32 attributes {grain.callee = #grain.callee<" + kind +
                      ", convergence = none>, memory = #llvm.memory_effects<other = " + memory +
                      ", argMem = none, inaccessibleMem = none>}\n");
  };
  EXPECT_TRUE(call("math", "none"));
  EXPECT_FALSE(call("math", "read"));
  EXPECT_FALSE(call("plain_function", "none"));
}

} // namespace
