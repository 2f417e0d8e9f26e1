//===- ReshapeBlocks.td - Other block shapes for a launch --*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_RESHAPE_BLOCKS
#define REGRAIN_TRANSFORMS_RESHAPE_BLOCKS

include "compiler/Transforms/RefusablePass.td"

def ReshapeBlocks : RefusablePass<"grain-reshape-blocks"> {
  let summary = "Cuts the threads of a launch into other blocks";
  let description = [{
    Sets `shape` on the kernel's `grain.threads`. A kernel for which that is not
    legal is left as it is, with a remark. Tests: test/Transforms/ReshapeBlocks.
  }];
  let options = [
    ListOption<"shape", "shape", "uint32_t", "threads of a block in x, y, z, as in 128,1,2">,
    ListOption<"slices", "slices", "uint32_t",
               "dimensions in which the program's blocks have one thread, as in 1,2">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
