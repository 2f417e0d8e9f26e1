//===- KeepRows.td - Rows of global memory in registers ----*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_KEEP_ROWS
#define REGRAIN_TRANSFORMS_KEEP_ROWS

include "compiler/Transforms/RefusablePass.td"

def KeepRows : RefusablePass<"grain-keep-rows"> {
  let summary = "Keeps what later loops read again in registers";
  let description = [{
    Loops of known length are unrolled, and loads of what the thread has loaded
    or stored before go. A kernel without such loads is left as it is, with a
    remark. Tests: test/Transforms/KeepRows.
  }];
  let options = [Option<"joined", "joined", "unsigned", /*default=*/"1",
                        "how many threads of the program a launched thread runs">,
                 required];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect"];
}

#endif
