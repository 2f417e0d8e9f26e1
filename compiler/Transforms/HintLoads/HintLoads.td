//===- HintLoads.td - What loads tell the caches -----------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_HINT_LOADS
#define REGRAIN_TRANSFORMS_HINT_LOADS

include "compiler/Transforms/RefusablePass.td"

def HintLoads : RefusablePass<"grain-hint-loads"> {
  let summary = "Marks loads of data that is loaded once, or is not written";
  let description = [{
    A kernel without such a load is left as it is, with a remark. Tests:
    test/Transforms/HintLoads.
  }];
  let options = [
    Option<"hint", "hint", "::regrain::LoadHint",
           /*default=*/"::regrain::LoadHint::LoadedOnce", "which loads are marked",
           [{::llvm::cl::values(
             clEnumValN(::regrain::LoadHint::LoadedOnce, "loaded-once",
                        "those of data that the launch loads once, as nontemporal"),
             clEnumValN(::regrain::LoadHint::OnlyRead, "only-read",
                        "those of memory that the launch does not write, as invariant"))}]>,
    required
  ];
}

#endif
