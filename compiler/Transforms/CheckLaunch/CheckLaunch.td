//===- CheckLaunch.td - Whether a kernel at a grain can be launched -*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_CHECK_LAUNCH
#define REGRAIN_TRANSFORMS_CHECK_LAUNCH

include "compiler/Transforms/RefusablePass.td"

def CheckLaunch : RefusablePass<"grain-check-launch"> {
  let summary = "Refuses a kernel that no launch can run";
  let description = [{
    Looks at the warps of a known block and at the parameters that the grain
    appends. Tests: test/Transforms/CheckLaunch.
  }];
}

#endif
