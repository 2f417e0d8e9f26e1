//===- StageLoops.td - Tiles of loops in shared memory -----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_STAGELOOPS
#define REGRAIN_TRANSFORMS_STAGELOOPS

include "compiler/Transforms/RefusablePass.td"

def StageLoops : RefusablePass<"grain-stage-loops"> {
  let summary = "Copies what a block reads in some iterations of a loop into shared memory first";
  let description = [{
    A kernel without such loops is left as it is, with a remark. Tests:
    test/Transforms/StageLoops.
  }];
  let options = [
    Option<"bulk", "bulk", "bool", /*default=*/"false", "copy whole rows at once">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
