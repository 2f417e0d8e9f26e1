//===- Specialise.cpp - A kernel for launches that are known --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Specialise/Specialise.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Transforms/Regroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace regrain;

static bool fits(int64_t value, unsigned bits) {
  // A bool is passed as a byte that is 0 or 1.
  if (bits == 1)
    return value == 0 || value == 1;
  return bits == 64 || llvm::isIntN(bits, value) || (value >= 0 && llvm::isUIntN(bits, value));
}

static Refusal unsuitable(grain::KernelOp kernel, const Twine &reason) {
  return refuse(kernel, RefusalKind::UnsuitableArgument, reason);
}

/// Refuses what the runtime cannot read as an integer.
static std::optional<Refusal> checkInteger(grain::KernelOp kernel, uint32_t parameter) {
  ArrayRef<Type> types = kernel.getArgumentTypes();
  if (parameter >= types.size())
    return unsuitable(kernel, "the kernel has no parameter " + Twine(parameter) + ", it has " +
                                  Twine(types.size()));
  auto type = dyn_cast<IntegerType>(types[parameter]);
  if (!type)
    return unsuitable(kernel, "parameter " + Twine(parameter) + " is not an integer");
  if (type.getWidth() > 64)
    return unsuitable(kernel, "parameter " + Twine(parameter) + " has more than 64 bits");
  return std::nullopt;
}

static std::optional<Refusal> checkValue(grain::KernelOp kernel, uint32_t parameter,
                                         int64_t value) {
  if (auto refusal = checkInteger(kernel, parameter))
    return refusal;
  unsigned bits = kernel.getArgumentTypes()[parameter].getIntOrFloatBitWidth();
  if (!fits(value, bits))
    return unsuitable(kernel, "parameter " + Twine(parameter) + " has " + Twine(bits) +
                                  " bits and cannot be " + Twine(value));
  return std::nullopt;
}

static std::optional<Refusal> checkKnown(grain::KernelOp kernel, const KnownLaunch &known) {
  for (auto [parameter, value] : known.arguments)
    if (auto refusal = checkValue(kernel, parameter, value))
      return refusal;
  for (auto [parameter, factor] : known.multiples)
    if (auto refusal = checkInteger(kernel, parameter))
      return refusal;
  auto parameters = llvm::seq(0u, kernel.getNumArguments());
  if (known.pointers &&
      llvm::none_of(parameters, [&](unsigned index) { return isPointerParameter(kernel, index); }))
    return unsuitable(kernel, "the kernel has no pointer parameter that could be aligned");
  if (!known.disjoint)
    return std::nullopt;
  if (std::optional<DisjointObjection> objection = objectToDisjoint(kernel))
    return refuse(objection->op, RefusalKind::NothingHinted, objection->reason);
  return std::nullopt;
}

/// Notes on the parameters to how many bytes they are aligned.
static void alignPointers(grain::KernelOp kernel, uint32_t bytes) {
  StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  for (unsigned index = 0; bytes && index < kernel.getNumArguments(); ++index) {
    if (!isPointerParameter(kernel, index))
      continue;
    auto old = kernel.getArgAttrOfType<IntegerAttr>(index, name);
    if (!old || old.getInt() < int64_t(bytes))
      kernel.setArgAttr(index, name, Builder(kernel).getI64IntegerAttr(bytes));
  }
}

/// Notes on the parameters that their arguments are in different allocations.
static void separatePointers(grain::KernelOp kernel) {
  auto unit = UnitAttr::get(kernel.getContext());
  for (unsigned index : exclusiveParameters(kernel))
    kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    if (isPointerParameter(kernel, index))
      kernel.setArgAttr(index, disjointAttribute, unit);
}

/// Masks the low bits that a multiple does not have, which shows that they are 0. An odd part of
/// the factor says nothing about bits.
static void showMultiple(OpBuilder &builder, BlockArgument argument, uint32_t factor) {
  unsigned bits = argument.getType().getIntOrFloatBitWidth();
  unsigned zeros = std::min<unsigned>(llvm::countr_zero(factor), bits);
  if (zeros == 0)
    return;
  Location location = argument.getLoc();
  Value mask = builder.create<arith::ConstantOp>(
      location, builder.getIntegerAttr(argument.getType(), APInt::getBitsSetFrom(bits, zeros)));
  Value multiple = builder.create<arith::AndIOp>(location, argument, mask);
  argument.replaceAllUsesExcept(multiple, multiple.getDefiningOp());
}

/// Sizes are also read beside the nest.
template <typename SizeOp>
static void replaceSizes(grain::KernelOp kernel, const std::optional<Factors> &sizes) {
  if (!sizes)
    return;
  kernel.walk([&](SizeOp op) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(constant(builder, op.getLoc(), (*sizes)[unsigned(op.getDimension())]));
    op.erase();
  });
}

/// If the launch has one block or thread in a dimension, the coordinate is 0.
static void replaceCoordinates(Block &body, const std::optional<Factors> &sizes, Value zero) {
  if (!sizes)
    return;
  for (auto [coordinate, size] : llvm::zip_equal(body.getArguments(), *sizes))
    if (size == 1)
      coordinate.replaceUsesWithIf(zero, [](OpOperand &use) { return !isBarrier(use.getOwner()); });
}

std::optional<Refusal> regrain::specialise(grain::KernelOp kernel, const KnownLaunch &known) {
  if (known.empty())
    return std::nullopt;
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks)
    return refuse(kernel, RefusalKind::AlreadyExpanded,
                  "the kernel has been expanded into alternatives");
  if (auto refusal = checkOriginalNest(blocks))
    return refusal;
  if (auto refusal = checkKnown(kernel, known))
    return refusal;

  if (known.block)
    blocks.setKnownBlock(multiply({1, 1, 1}, *known.block));
  if (known.grid)
    blocks.setKnownGrid(multiply({1, 1, 1}, *known.grid));
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (auto [parameter, value] : known.arguments) {
    BlockArgument argument = kernel.getBody().getArgument(parameter);
    argument.replaceAllUsesWith(builder.create<arith::ConstantOp>(
        kernel.getLoc(), builder.getIntegerAttr(argument.getType(), value)));
  }
  for (auto [parameter, factor] : known.multiples)
    showMultiple(builder, kernel.getBody().getArgument(parameter), factor);
  alignPointers(kernel, known.pointers);
  if (known.disjoint)
    separatePointers(kernel);
  Value zero = constant(builder, kernel.getLoc(), 0);
  replaceCoordinates(blocks.getBody().front(), known.grid, zero);
  replaceCoordinates(blocks.threads().getBody().front(), known.block, zero);
  replaceSizes<grain::GridSizeOp>(kernel, known.grid);
  replaceSizes<grain::BlockSizeOp>(kernel, known.block);
  return std::nullopt;
}
