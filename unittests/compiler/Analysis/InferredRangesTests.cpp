//===- InferredRangesTests.cpp - Ranges that Affine takes from MLIR -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine.cpp trusts InferIntRangeInterface. For numbers of 8 bits, each result of an operation with
// a constant is compared with the range of its signed value.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// Returns the result of the operation on two numbers; nothing if it is poison or undefined.
std::optional<llvm::APInt> evaluate(StringRef name, llvm::APInt a, llvm::APInt b) {
  bool isShift = name.starts_with("sh"), isDivision = name.contains("div") || name.contains("rem");
  if ((isShift && b.uge(8)) || (isDivision && b.isZero()) ||
      (name.ends_with("si") && isDivision && a.isMinSignedValue() && b.isAllOnes()))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<llvm::APInt>>(name)
      .Case("addi", a + b)
      .Case("subi", a - b)
      .Case("muli", a * b)
      .Case("andi", a & b)
      .Case("ori", a | b)
      .Case("xori", a ^ b)
      .Case("minsi", llvm::APIntOps::smin(a, b))
      .Case("maxsi", llvm::APIntOps::smax(a, b))
      .Case("minui", llvm::APIntOps::umin(a, b))
      .Case("maxui", llvm::APIntOps::umax(a, b))
      .Case("shli", isShift ? a.shl(b) : a)
      .Case("shrui", isShift ? a.lshr(b) : a)
      .Case("shrsi", isShift ? a.ashr(b) : a)
      .Case("divui", isDivision ? a.udiv(b) : a)
      .Case("remui", isDivision ? a.urem(b) : a)
      .Case("divsi", isDivision ? a.sdiv(b) : a)
      .Case("remsi", isDivision ? a.srem(b) : a)
      .Default(std::nullopt);
}

class InferredRanges : public testing::TestWithParam<const char *> {};

TEST_P(InferredRanges, ContainEachResult) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  Value zero = builder.create<arith::ConstantIntOp>(module->getLoc(), 0, 8);
  OperationState state(module->getLoc(), (StringRef("arith.") + GetParam()).str(), {zero, zero},
                       {zero.getType()});
  Operation *op = builder.create(state);
  for (unsigned constant = 0; constant < 256; ++constant) {
    llvm::APInt b(8, constant);
    std::optional<ConstantIntRanges> range;
    cast<InferIntRangeInterface>(op).inferResultRanges(
        {ConstantIntRanges::maxRange(8), ConstantIntRanges::constant(b)},
        [&](Value, const ConstantIntRanges &found) { range = found; });
    ASSERT_TRUE(range);
    for (unsigned number = 0; number < 256; ++number) {
      std::optional<llvm::APInt> result = evaluate(GetParam(), llvm::APInt(8, number), b);
      if (result)
        ASSERT_TRUE(result->sge(range->smin()) && result->sle(range->smax()))
            << GetParam() << " of " << number << " and " << constant;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arith, InferredRanges,
                         testing::Values("addi", "subi", "muli", "andi", "ori", "xori", "minsi",
                                         "maxsi", "minui", "maxui", "shli", "shrui", "shrsi",
                                         "divui", "remui", "divsi", "remsi"),
                         [](const auto &test) { return test.param; });

} // namespace
