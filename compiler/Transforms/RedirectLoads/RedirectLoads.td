//===- RedirectLoads.td - What excluded neighbours load ---*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_REDIRECT_LOADS
#define REGRAIN_TRANSFORMS_REDIRECT_LOADS

include "compiler/Transforms/RefusablePass.td"

def RedirectLoads : RefusablePass<"grain-redirect-loads"> {
  let summary = "Simplifies what neighbours load that a joined guard excludes";
  let description = [{
    Loads of copies that may not run get an address that another load of the
    block has, or one that differs from it by a constant. A kernel without such
    loads is left as it is, with a remark.
    Tests: test/Transforms/RedirectLoads.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "scf::SCFDialect"];
}

#endif
