//===- ExchangeInWarp.td - Shared arrays in registers ------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_EXCHANGE_IN_WARP
#define REGRAIN_TRANSFORMS_EXCHANGE_IN_WARP

include "compiler/Transforms/RefusablePass.td"

def ExchangeInWarp : RefusablePass<"grain-exchange-in-warp"> {
  let summary = "Keeps what the lanes of a warp exchange in registers";
  let description = [{
    Lanes read each other's elements by shuffles, and barriers go. A kernel for
    which that is not legal is left as it is, with a remark. Tests:
    test/Transforms/ExchangeInWarp.
  }];
  let options = [
    Option<"exchanges", "exchanges", "::regrain::Exchanges",
           /*default=*/"::regrain::Exchanges::All", "which exchanges are kept in registers",
           [{::llvm::cl::values(
             clEnumValN(::regrain::Exchanges::All, "all",
                        "all, or the kernel is left as it is"),
             clEnumValN(::regrain::Exchanges::Levels, "levels",
                        "those within warps"))}]>,
    required
  ];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect", "NVVM::NVVMDialect"];
}

#endif
