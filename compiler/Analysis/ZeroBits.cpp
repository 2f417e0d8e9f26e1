//===- ZeroBits.cpp - What integers are multiples of ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/ZeroBits.h"

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// The operations that are followed, one behind the other.
static constexpr unsigned deepest = 6;

static uint64_t zeroBits(Value value, unsigned depth);

/// Returns the low bits that are zero in the arguments for a pointer parameter of a kernel.
static uint64_t zeroBitsOfParameter(BlockArgument argument) {
  auto kernel = dyn_cast<grain::KernelOp>(argument.getOwner()->getParentOp());
  auto align = kernel ? kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                             LLVM::LLVMDialect::getAlignAttrName())
                      : IntegerAttr();
  return align ? llvm::countr_zero(uint64_t(align.getInt())) : 0;
}

/// Returns the low bits that are zero in what a pointer moves by; only arrays are followed.
static uint64_t zeroBitsOfStep(LLVM::GEPOp step, unsigned depth) {
  if (step.getIndices().size() != 1)
    return 0;
  uint64_t size = DataLayout::closest(step).getTypeSize(step.getElemType()).getFixedValue();
  auto index = step.getIndices()[0];
  auto constant = dyn_cast<IntegerAttr>(index);
  uint64_t ofIndex = constant ? llvm::countr_zero(uint64_t(constant.getInt()))
                              : zeroBits(cast<Value>(index), depth);
  return llvm::countr_zero(size) + ofIndex;
}

static uint64_t zeroBits(Value value, unsigned depth) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return zeroBitsOfParameter(argument);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.countr_zero();
  Operation *op = value.getDefiningOp();
  if (!op || depth == deepest)
    return 0;
  auto of = [&](unsigned operand) { return zeroBits(op->getOperand(operand), depth + 1); };
  if (isa<arith::ExtSIOp, arith::ExtUIOp, LLVM::PtrToIntOp>(op))
    return of(0);
  if (auto array = dyn_cast<LLVM::AllocaOp>(op))
    return llvm::countr_zero(array.getAlignment().value_or(1));
  if (auto step = dyn_cast<LLVM::GEPOp>(op))
    return std::min(of(0), zeroBitsOfStep(step, depth + 1));
  if (isa<arith::MulIOp>(op))
    return of(0) + of(1);
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::min(of(0), of(1));
  if (isa<arith::AndIOp>(op))
    return std::max(of(0), of(1));
  if (isa<arith::ShLIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return of(0) + constant.getLimitedValue(64);
  return 0;
}

unsigned regrain::zeroBitsOf(Value value) {
  Type type = value.getType();
  uint64_t width = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  return std::min(zeroBits(value, 0), width);
}

std::optional<unsigned> regrain::multipleIn(arith::AddIOp sum, AffineForms &forms) {
  for (unsigned multiple : {0u, 1u}) {
    unsigned bits = std::min(zeroBitsOf(sum->getOperand(multiple)), 31u);
    Affine rest = forms.of(sum->getOperand(1 - multiple));
    if (bits && forms.isWithin(rest, 0, (int64_t(1) << bits) - 1))
      return multiple;
  }
  return std::nullopt;
}
