//===- CleanUp.td - Fold, drop and merge -------------------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_CLEAN_UP
#define REGRAIN_TRANSFORMS_CLEAN_UP

include "mlir/Pass/PassBase.td"

def CleanUp : Pass<"grain-clean-up", "grain::KernelOp"> {
  let summary = "Folds, drops what is unused and merges what is computed twice";
  let description = [{
    Loops and regions that carry loop hints keep their form. Tests:
    test/Transforms/CleanUp.
  }];
}

#endif
