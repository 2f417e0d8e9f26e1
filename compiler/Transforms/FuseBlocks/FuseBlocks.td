//===- FuseBlocks.td - Neighbouring blocks side by side ----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_FUSE_BLOCKS
#define REGRAIN_TRANSFORMS_FUSE_BLOCKS

include "compiler/Transforms/RefusablePass.td"

def FuseBlocks : RefusablePass<"grain-fuse-blocks"> {
  let summary = "Makes one block of several neighbours, side by side";
  let description = [{
    Sets `fused` on the kernel's `grain.threads`. A kernel for which that is not
    legal is left as it is, with a remark. Tests: test/Transforms/FuseBlocks.
  }];
  let options = [
    ListOption<"factors", "factors", "uint32_t", "factors for x, y, z, as in 4,1,1">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
