//===- ForwardMemory.td - What memory is known to hold -----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_FORWARD_MEMORY
#define REGRAIN_TRANSFORMS_FORWARD_MEMORY

include "mlir/Pass/PassBase.td"

def ForwardMemory : Pass<"grain-forward-memory", "grain::KernelOp"> {
  let summary = "Loads what the thread knows of memory from registers";
  let description = [{
    Gives loads the value that the thread has stored or loaded there before, over
    barriers too, and drops stores that nobody can see.
    Tests: test/Transforms/ForwardMemory.
  }];
}

#endif
