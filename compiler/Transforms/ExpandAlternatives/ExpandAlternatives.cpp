//===- ExpandAlternatives.cpp - One kernel at several grains --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExpandAlternatives/ExpandAlternatives.h"

#include "compiler/Transforms/ApplyGrain.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace regrain;

/// Clones the code of `kernel` into `region`, on the parameters of `host`. The operations beside
/// the nest are cloned too, since grains may need different forms of them.
static void cloneInto(Region &region, grain::KernelOp kernel, grain::KernelOp host) {
  IRMapping mapping;
  mapping.map(kernel.getBody().getArguments(), host.getBody().getArguments());
  OpBuilder builder = OpBuilder::atBlockEnd(&region.emplaceBlock());
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  builder.create<grain::YieldOp>(kernel.getLoc());
}

LogicalResult regrain::expandAlternatives(grain::KernelOp kernel, ArrayRef<Grain> grains,
                                          SmallVectorImpl<RefusedStep> &refused) {
  Block &body = kernel.getBody().front();
  if (!body.getOps<grain::AlternativesOp>().empty())
    return kernel.emitError("has alternatives already");

  std::vector<Grain> legal = {Grain()};
  // The clone stands beside the kernel, so that symbols resolve.
  OpBuilder builder(kernel);
  SmallVector<OwningOpRef<grain::KernelOp>> variants;
  variants.emplace_back(cast<grain::KernelOp>(builder.clone(*kernel)));
  for (const Grain &grain : grains) {
    if (llvm::is_contained(legal, grain))
      continue;
    OwningOpRef<grain::KernelOp> variant = cast<grain::KernelOp>(builder.clone(*kernel));
    if (auto step = applyGrain(*variant, grain, GrainPart::Whole)) {
      refused.push_back(std::move(*step));
      continue;
    }
    legal.push_back(grain);
    variants.push_back(std::move(variant));
  }

  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body.without_terminator())))
    op.erase();
  SmallVector<Attribute> ids;
  for (const Grain &grain : legal)
    ids.push_back(builder.getStringAttr(toString(grain)));
  builder.setInsertionPointToStart(&body);
  auto alternatives = builder.create<grain::AlternativesOp>(
      kernel.getLoc(), builder.getArrayAttr(ids), legal.size());
  for (auto [region, variant] : llvm::zip_equal(alternatives.getAlternatives(), variants))
    cloneInto(region, *variant, kernel);
  return success();
}
