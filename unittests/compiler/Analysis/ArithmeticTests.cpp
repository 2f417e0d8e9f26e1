//===- ArithmeticTests.cpp - The floating-point operations of a kernel ----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Arithmetic.h"

#include "unittests/compiler/Analysis/ParsedKernel.h"

using namespace regrain;

namespace {

/// Returns "2 f32 n1 8?": two operations in a loop of unknown length and one of 8 trips, under a
/// condition.
std::string operations(const std::string &body, const std::string &functions = "") {
  GrainContext context;
  ParsedKernel parsed(kernelText("%p: !llvm.ptr, %f: f32, %d: f64, %n: i32", body, functions),
                      context.context);
  std::string text;
  for (const ArithmeticFootprint &each : arithmeticOf(parsed.kernel())) {
    text += std::to_string(each.operations) + " " +
            (each.function.empty() ? "f" + std::to_string(each.bits) : each.function);
    for (const FootprintLoop &loop : each.loops)
      text += loop.number ? " n" + std::to_string(loop.number) : " " + std::to_string(loop.trips);
    text += each.isConditional ? "?\n" : "\n";
  }
  return text;
}

TEST(Arithmetic, SumsProductsAndQuotientsCount) {
  EXPECT_EQ(operations(R"(
    %a = arith.addf %f, %f : f32
    %b = arith.mulf %a, %f fastmath<contract> : f32
    %c = llvm.fdiv %b, %f : f32
    %e = llvm.intr.fmuladd(%a, %b, %c) : (f32, f32, f32) -> f32
    %g = arith.subf %d, %d : f64
)"),
            "5 f32\n1 f64\n");
}

TEST(Arithmetic, LanesOfVectorsCount) {
  EXPECT_EQ(operations(R"(
    %v = llvm.load %p : !llvm.ptr -> vector<4xf16>
    %w = llvm.intr.fma(%v, %v, %v) : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
)"),
            "8 f16\n");
}

TEST(Arithmetic, ChoicesConversionsAndIntegersDoNotCount) {
  EXPECT_EQ(operations(R"(
    %a = arith.maxnumf %f, %f : f32
    %b = arith.negf %a : f32
    %c = arith.cmpf olt, %b, %f : f32
    %e = arith.extf %b : f32 to f64
    %g = llvm.intr.fabs(%f) : (f32) -> f32
    %h = arith.addi %n, %n : i32
    %i = arith.sitofp %h : i32 to f32
)"),
            "");
}

TEST(Arithmetic, LoopsAndConditionsAreTold) {
  EXPECT_EQ(operations(R"(
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %eight = arith.constant 8 : i32
    %more = arith.cmpi slt, %zero, %n : i32
    scf.for %i = %zero to %n step %two : i32 {
      scf.for %j = %zero to %eight step %two : i32 {
        %a = arith.addf %f, %f : f32
      }
      %b = arith.addf %f, %f : f32
    }
    scf.if %more {
      %c = arith.mulf %f, %f : f32
    }
)"),
            "1 f32 n1 4\n1 f32 n1\n1 f32?\n");
}

TEST(Arithmetic, FunctionsAreNamed) {
  EXPECT_EQ(operations(R"(
    %a = llvm.call @__nv_expf(%f) : (f32) -> f32
    %b = llvm.call @__nv_expf(%a) : (f32) -> f32
    %c = llvm.call @__nv_fmaf(%f, %f, %b) : (f32, f32, f32) -> f32
    %e = llvm.call @__nv_dadd_rn(%d, %d) : (f64, f64) -> f64
    %g = llvm.call @__nv_fmaxf(%f, %c) : (f32, f32) -> f32
    %h = llvm.intr.sqrt(%g) : (f32) -> f32
    llvm.call @other(%f) : (f32) -> ()
)",
                       R"(
    llvm.func @__nv_expf(f32) -> f32 attributes {grain.callee = #grain.callee<math, convergence = none>}
    llvm.func @__nv_fmaf(f32, f32, f32) -> f32 attributes {grain.callee = #grain.callee<math, convergence = none>}
    llvm.func @__nv_dadd_rn(f64, f64) -> f64 attributes {grain.callee = #grain.callee<math, convergence = none>}
    llvm.func @__nv_fmaxf(f32, f32) -> f32 attributes {grain.callee = #grain.callee<math, convergence = none>}
    llvm.func @other(f32)
)"),
            "2 expf\n2 f32\n1 f64\n1 sqrt\n1 other\n");
}

} // namespace
