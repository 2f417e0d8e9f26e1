//===- PrivatiseShared.td - A thread's own shared memory ---*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_PRIVATISE_SHARED
#define REGRAIN_TRANSFORMS_PRIVATISE_SHARED

include "mlir/Pass/PassBase.td"

def PrivatiseShared : Pass<"grain-privatise-shared", "grain::KernelOp"> {
  let summary = "Keeps shared memory that is one thread's own in its variables";
  let description = [{
    A place of a shared array that one thread alone writes is loaded by it from a
    variable; where it alone reads it too, the memory goes.
    Tests: test/Transforms/PrivatiseShared.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

#endif
