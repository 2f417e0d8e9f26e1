//===- DealIterations.td - Which thread takes which element *- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_DEAL_ITERATIONS
#define REGRAIN_TRANSFORMS_DEAL_ITERATIONS

include "compiler/Transforms/RefusablePass.td"

def DealIterations : RefusablePass<"grain-deal-iterations"> {
  let summary = "Distributes the iterations of loops over elements in another way";
  let description = [{
    A kernel without such a loop is left as it is, with a remark. Tests:
    test/Transforms/DealIterations.
  }];
  let options = [
    Option<"dealing", "dealing", "::regrain::Dealing", /*default=*/"::regrain::Dealing::Cyclic",
           "how elements are distributed among threads",
           [{::llvm::cl::values(
             clEnumValN(::regrain::Dealing::Cyclic, "cyclic",
                        "neighbouring threads take neighbouring elements"),
             clEnumValN(::regrain::Dealing::Blocked, "blocked",
                        "a thread takes neighbouring elements"))}]>,
    required
  ];
}

#endif
