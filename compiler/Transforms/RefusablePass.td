//===- RefusablePass.td - A pass that may be refused -------*- tablegen -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TRANSFORMS_REFUSABLE_PASS
#define REGRAIN_TRANSFORMS_REFUSABLE_PASS

include "mlir/Pass/PassBase.td"

/// The option says what a refused pass does (RefusablePass.h): it leaves the kernel unchanged with
/// a remark, or it fails.
defvar required = Option<"required", "required", "bool", /*default=*/"false",
                         "fail where the transform is refused">;

class RefusablePass<string name> : Pass<name, "grain::KernelOp"> {
  let options = [required];
}

#endif
