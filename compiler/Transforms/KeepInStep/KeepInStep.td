//===- KeepInStep.td - Launched blocks that wait for each other *- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_KEEPINSTEP
#define REGRAIN_TRANSFORMS_KEEPINSTEP

include "compiler/Transforms/RefusablePass.td"

def KeepInStep : RefusablePass<"grain-keep-in-step"> {
  let summary = "Lets launched blocks that march through planes keep in step";
  let description = [{
    A kernel without such a march is left as it is, with a remark. Tests: test/Transforms/KeepInStep.
  }];
  let options = [Option<"ahead", "ahead", "uint32_t", /*default=*/"1",
                        "steps of the launch that may begin before their turn">,
                 required];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect"];
}

#endif
