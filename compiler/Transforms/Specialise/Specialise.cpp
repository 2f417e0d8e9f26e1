//===- Specialise.cpp - A kernel for launches that are known --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Specialise/Specialise.h"

#include "compiler/Analysis/Barriers.h"
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

static std::optional<Refusal> checkArgument(grain::KernelOp kernel, uint32_t parameter,
                                            int64_t value) {
  auto unsuitable = [&](const Twine &reason) {
    return refuse(kernel, RefusalKind::UnsuitableArgument, reason);
  };
  ArrayRef<Type> types = kernel.getArgumentTypes();
  if (parameter >= types.size())
    return unsuitable("the kernel has no parameter " + Twine(parameter) + ", it has " +
                      Twine(types.size()));
  auto type = dyn_cast<IntegerType>(types[parameter]);
  if (!type)
    return unsuitable("parameter " + Twine(parameter) + " is not an integer");
  if (type.getWidth() > 64)
    return unsuitable("parameter " + Twine(parameter) + " has more than 64 bits");
  if (!fits(value, type.getWidth()))
    return unsuitable("parameter " + Twine(parameter) + " has " + Twine(type.getWidth()) +
                      " bits and cannot be " + Twine(value));
  return std::nullopt;
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
  for (auto [parameter, value] : known.arguments)
    if (auto refusal = checkArgument(kernel, parameter, value))
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
  Value zero = constant(builder, kernel.getLoc(), 0);
  replaceCoordinates(blocks.getBody().front(), known.grid, zero);
  replaceCoordinates(blocks.threads().getBody().front(), known.block, zero);
  replaceSizes<grain::GridSizeOp>(kernel, known.grid);
  replaceSizes<grain::BlockSizeOp>(kernel, known.block);
  return std::nullopt;
}
