//===- SplitThreads.td - Lanes that share a thread ---------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_SPLIT_THREADS
#define REGRAIN_TRANSFORMS_SPLIT_THREADS

include "compiler/Transforms/RefusablePass.td"

def SplitThreads : RefusablePass<"grain-split-threads"> {
  let summary = "Lets lanes of a warp or of a block, or several warps, share the loops of a thread";
  let description = [{
    Sets `split` and `shape` on the kernel's `grain.threads`. A kernel for which that is not legal,
    or of which no loop can be dealt, is left as it is, with a remark. Tests:
    test/Transforms/SplitThreads.
  }];
  let options = [Option<"lanes", "lanes", "uint32_t", /*default=*/"32",
                        "lanes that share a thread: 4, 8, 16, 32, or the threads of a block">,
                 Option<"warps", "warps", "bool", /*default=*/"false",
                        "each of these lanes is in another warp: 2, 4, 8, 16 or 32 warps">,
                 Option<"width", "width", "uint32_t", /*default=*/"1",
                        "neighbouring iterations that a lane takes at a time: 1, 2, 4 or 8">,
                 ListOption<"shape", "shape", "uint32_t", "launched threads of a block in x, y, z">,
                 Option<"reassociate", "reassociate", "bool", /*default=*/"false",
                        "sums of floating-point numbers may be formed in another order">,
                 Option<"elements", "elements", "unsigned", /*default=*/"0",
                        "elements that a lane keeps of each row which later loops read again">,
                 required];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect"];
}

#endif
