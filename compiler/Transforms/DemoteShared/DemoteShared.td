//===- DemoteShared.td - Static shared memory in global memory *- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_DEMOTESHARED
#define REGRAIN_TRANSFORMS_DEMOTESHARED

include "compiler/Transforms/RefusablePass.td"

def DemoteShared : RefusablePass<"grain-demote-shared"> {
  let summary = "Puts static shared memory into global memory of the launch";
  let description = [{
    A kernel for which that is not possible is left as it is, with a remark. Tests:
    test/Transforms/DemoteShared.
  }];
}

#endif
