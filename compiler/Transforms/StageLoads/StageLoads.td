//===- StageLoads.td - Footprints in shared memory ---------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_STAGELOADS
#define REGRAIN_TRANSFORMS_STAGELOADS

include "compiler/Transforms/RefusablePass.td"

def StageLoads : RefusablePass<"grain-stage-loads"> {
  let summary = "Copies what threads of a block read in common into shared memory first";
  let description = [{
    A kernel without such loads is left as it is, with a remark. Tests:
    test/Transforms/StageLoads.
  }];
  let options = [
    Option<"bulk", "bulk", "bool", /*default=*/"false", "copy whole rows at once">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
