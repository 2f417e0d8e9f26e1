//===- StageSteps.td - Planes of a march in shared memory --*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_STAGESTEPS
#define REGRAIN_TRANSFORMS_STAGESTEPS

include "compiler/Transforms/RefusablePass.td"

def StageSteps : RefusablePass<"grain-stage-steps"> {
  let summary = "Copies what a block reads in steps into a ring of planes in shared memory";
  let description = [{
    A kernel without such steps is left as it is, with a remark. Tests:
    test/Transforms/StageSteps.
  }];
  let options = [Option<"bulk", "bulk", "bool", /*default=*/"false", "copy whole rows at once">,
                 Option<"ahead", "ahead", "uint32_t", /*default=*/"1",
                        "planes that are copied ahead">,
                 Option<"dynamicBytes", "dynamic-bytes", "uint64_t", /*default=*/"0",
                        "dynamic shared memory in which the rings lie; 0: they are static">,
                 required];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
