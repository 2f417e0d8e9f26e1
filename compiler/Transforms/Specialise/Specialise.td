//===- Specialise.td - A kernel for launches that are known *- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_SPECIALISE
#define REGRAIN_TRANSFORMS_SPECIALISE

include "compiler/Transforms/RefusablePass.td"

def Specialise : RefusablePass<"grain-specialise"> {
  let summary = "Compiles a kernel for a known block, grid, argument, alignment or separate pointers";
  let description = [{
    Puts constants in place of sizes of the launch and of parameters, and notes
    what parameters are multiples of. A kernel for which that is not possible is
    left as it is, with a remark. Tests: test/Transforms/Specialise.
  }];
  let options = [
    Option<"known", "known", "std::string", /*default=*/"",
           "what launches have, as in for.block=64x1x1,for.arg2=2048">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect"];
}

#endif
