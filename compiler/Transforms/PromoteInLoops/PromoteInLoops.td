//===- PromoteInLoops.td - Memory in registers in loops ----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_PROMOTE_IN_LOOPS
#define REGRAIN_TRANSFORMS_PROMOTE_IN_LOOPS

include "mlir/Pass/PassBase.td"

def PromoteInLoops : Pass<"grain-promote-in-loops", "grain::KernelOp"> {
  let summary = "Keeps memory that a loop accesses at one address in registers";
  let description = [{
    Loads in front of a loop and stores behind it what the loop accesses at an
    address that does not change, where nothing else in it touches that memory.
    Tests: test/Transforms/PromoteInLoops.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
