//===- TransposeAccesses.td - Order of addresses -----------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_TRANSPOSEACCESSES
#define REGRAIN_TRANSFORMS_TRANSPOSEACCESSES

include "compiler/Transforms/RefusablePass.td"

def TransposeAccesses : RefusablePass<"grain-transpose-accesses"> {
  let summary = "Lets threads access memory for each other, in the order of addresses";
  let description = [{
    A kernel without such accesses is left as it is, with a remark. Tests:
    test/Transforms/TransposeAccesses.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
