//===- KeepWindows.td - What later steps read again -------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_KEEP_WINDOWS
#define REGRAIN_TRANSFORMS_KEEP_WINDOWS

include "compiler/Transforms/RefusablePass.td"

def KeepWindows : RefusablePass<"grain-keep-windows"> {
  let summary = "Keeps what later steps of a launched block read again in registers";
  let description = [{
    Loads of what the thread has loaded in an earlier step of the loop over
    blocks get that value. A kernel without such loads is left as it is, with a
    remark. Tests: test/Transforms/KeepWindows.
  }];
  let options = [Option<"ahead", "ahead", "bool", /*default=*/"false",
                        "load what the next step adds a step before">,
                 required];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
