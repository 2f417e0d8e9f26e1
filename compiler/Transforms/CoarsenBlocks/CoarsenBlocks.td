//===- CoarsenBlocks.td - Fewer blocks with more work each -*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_COARSEN_BLOCKS
#define REGRAIN_TRANSFORMS_COARSEN_BLOCKS

include "compiler/Transforms/RefusablePass.td"

def CoarsenBlocks : RefusablePass<"grain-coarsen-blocks"> {
  let summary = "Gives each block the work of several neighbours";
  let description = [{
    Multiplies the factors of the kernel's `grain.blocks`. A kernel for which
    that is not legal is left as it is, with a remark. Tests:
    test/Transforms/CoarsenBlocks.
  }];
  let options = [
    ListOption<"factors", "factors", "uint32_t", "factors for x, y, z, as in 4,1,1">,
    Option<"apart", "apart", "bool", /*default=*/"false",
           "leave blocks that do not fill a launched one to a launch of their own">,
    Option<"loop", "loop", "bool", /*default=*/"false",
           "run the blocks one after the other in a loop">,
    Option<"whole", "whole", "bool", /*default=*/"false",
           "interleave blocks only if all of their threads pass the guards">,
    Option<"common", "common", "bool", /*default=*/"false",
           "let blocks accumulate in common shared arrays">,
    Option<"reassociate", "reassociate", "bool", /*default=*/"false",
           "also sums of floating-point numbers">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
