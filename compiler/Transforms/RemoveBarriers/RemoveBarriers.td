//===- RemoveBarriers.td - Barriers that order nothing -----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_REMOVE_BARRIERS
#define REGRAIN_TRANSFORMS_REMOVE_BARRIERS

include "mlir/Pass/PassBase.td"

def RemoveBarriers : Pass<"grain-remove-barriers", "grain::KernelOp"> {
  let summary = "Removes barriers that order nothing";
  let description = [{
    A barrier goes where no thread touches in front of it what another touches
    behind it; loads move in front of the barrier before where that helps.
    Tests: test/Transforms/RemoveBarriers.
  }];
}

#endif
