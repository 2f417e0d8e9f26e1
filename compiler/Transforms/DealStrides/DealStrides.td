//===- DealStrides.td - Neighbours for each thread of a block - *- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_DEAL_STRIDES
#define REGRAIN_TRANSFORMS_DEAL_STRIDES

include "compiler/Transforms/RefusablePass.td"

def DealStrides : RefusablePass<"grain-deal-strides"> {
  let summary = "Lets each thread take neighbouring iterations of loops by which a block strides";
  let description = [{
    A kernel without such a loop is left as it is, with a remark. Tests: test/Transforms/DealStrides.
  }];
  let options = [
    Option<"width", "width", "uint32_t", /*default=*/"4", "neighbouring iterations: 2, 4, 8 or 16">,
    Option<"reassociate", "reassociate", "bool", /*default=*/"false",
           "sums of floating-point numbers may be formed in another order">,
    required
  ];
}

#endif
