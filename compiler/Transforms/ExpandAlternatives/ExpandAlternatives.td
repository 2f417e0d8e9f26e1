//===- ExpandAlternatives.td - One kernel at several grains -*- tablegen -*-==//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_EXPAND_ALTERNATIVES
#define REGRAIN_TRANSFORMS_EXPAND_ALTERNATIVES

include "mlir/Pass/PassBase.td"

def ExpandAlternatives : Pass<"grain-expand-alternatives", "grain::KernelOp"> {
  let summary = "Turns the nest of a kernel into alternatives";
  let description = [{
    The original comes first, then one alternative for each SPEC. A SPEC that is
    refused is left out, with a remark. Tests: test/Transforms/ExpandAlternatives.
  }];
  let options = [
    Option<"specs", "specs", "std::string", /*default=*/"",
           "SPECs with factors per dimension, separated by ';'">
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "NVVM::NVVMDialect",
                           "scf::SCFDialect"];
}

#endif
