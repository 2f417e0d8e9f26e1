//===- PadShared.td - Rows of shared arrays in other banks -*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_PADSHARED
#define REGRAIN_TRANSFORMS_PADSHARED

include "compiler/Transforms/RefusablePass.td"

def PadShared : RefusablePass<"grain-pad-shared"> {
  let summary = "Pads rows of static shared arrays whose accesses conflict in banks";
  let description = [{
    A kernel without such an array is left as it is, with a remark. Tests:
    test/Transforms/PadShared.
  }];
}

#endif
