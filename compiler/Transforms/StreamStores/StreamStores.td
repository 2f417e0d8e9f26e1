//===- StreamStores.td - Stores past the caches ------------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_STREAMSTORES
#define REGRAIN_TRANSFORMS_STREAMSTORES

include "compiler/Transforms/RefusablePass.td"

def StreamStores : RefusablePass<"grain-stream-stores"> {
  let summary = "Marks stores of what the launch does not read as nontemporal";
  let description = [{
    A kernel without such a store is left as it is, with a remark. Tests:
    test/Transforms/StreamStores.
  }];
}

#endif
