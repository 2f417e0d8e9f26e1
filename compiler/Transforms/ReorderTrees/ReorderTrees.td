//===- ReorderTrees.td - Trees that begin among neighbours -*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_REORDERTREES
#define REGRAIN_TRANSFORMS_REORDERTREES

include "mlir/Pass/PassBase.td"

def ReorderTrees : Pass<"grain-reorder-trees", "grain::KernelOp"> {
  let summary = "Combines neighbouring elements first in trees over shared arrays";
  let description = [{
    A kernel without such a tree is left as it is. Tests: test/Transforms/ReorderTrees.
  }];
  let options = [Option<"reassociate", "reassociate", "bool", /*default=*/"false",
                        "sums of floating-point numbers may be formed in another order">];
}

#endif
