//===- SplitGuards.td - Barriers out of guards -------------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_SPLIT_GUARDS
#define REGRAIN_TRANSFORMS_SPLIT_GUARDS

include "mlir/Pass/PassBase.td"

def SplitGuards : Pass<"grain-split-guards", "grain::KernelOp"> {
  let summary = "Takes barriers out of conditions that differ between threads";
  let description = [{
    Splits `if (c) { A; barrier; B }` into `if (c) { A } barrier; if (c) { B }`
    where every thread can compute the control around the barrier. Other guards
    stay. Tests: test/Transforms/SplitGuards.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
