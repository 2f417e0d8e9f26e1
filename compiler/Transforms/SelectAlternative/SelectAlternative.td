//===- SelectAlternative.td - One of several grains --------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_SELECT_ALTERNATIVE
#define REGRAIN_TRANSFORMS_SELECT_ALTERNATIVE

include "mlir/Pass/PassBase.td"

def SelectAlternative : Pass<"grain-select-alternative", "grain::KernelOp"> {
  let summary = "Keeps one alternative of a kernel";
  let description = [{
    Replaces `grain.alternatives` by the nest with the given id. A kernel without
    that id is an error; one without alternatives stays. Tests:
    test/Transforms/SelectAlternative.
  }];
  let options = [
    Option<"id", "id", "std::string", /*default=*/"\"original\"", "the alternative to keep">
  ];
}

#endif
