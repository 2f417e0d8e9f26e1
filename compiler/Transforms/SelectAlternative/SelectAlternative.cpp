//===- SelectAlternative.cpp - One of several grains ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SelectAlternative/SelectAlternative.h"

using namespace mlir;
using namespace regrain;

LogicalResult regrain::selectAlternative(grain::KernelOp kernel, StringRef id) {
  auto all = kernel.getBody().getOps<grain::AlternativesOp>();
  if (all.empty())
    return success();
  grain::AlternativesOp alternatives = *all.begin();
  auto ids = alternatives.getIds().getAsValueRange<StringAttr>();
  auto found = llvm::find(ids, id);
  if (found == ids.end())
    return alternatives.emitError("has no alternative \"") << id << "\"";
  Region &region = alternatives.getAlternatives()[std::distance(ids.begin(), found)];
  for (Operation &op : llvm::make_early_inc_range(region.front().without_terminator()))
    op.moveBefore(alternatives);
  alternatives.erase();
  return success();
}
