//===- CoarsenThreads.td - Fewer threads, more work each -*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_COARSEN_THREADS
#define REGRAIN_TRANSFORMS_COARSEN_THREADS

include "compiler/Transforms/RefusablePass.td"

def CoarsenThreads : RefusablePass<"grain-coarsen-threads"> {
  let summary = "Gives each thread the work of several";
  let description = [{
    Multiplies the factors of the kernel's `grain.threads`. A kernel for which
    that is not legal is left as it is, with a remark. Tests:
    test/Transforms/CoarsenThreads.
  }];
  let options = [
    ListOption<"factors", "factors", "uint32_t", "factors for x, y, z, as in 2,1,1">,
    Option<"contiguous", "contiguous", "bool", "false", "neighbours to one thread">,
    Option<"joinsGuards", "joins-guards", "bool", "false",
           "neighbours at an end run together with the others">,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect"];
}

#endif
