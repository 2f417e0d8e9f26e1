//===- DynamicShared.h - One name for dynamic shared memory -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace regrain {

/// Gives dynamic shared memory one name in each kernel. All variables that are declared for it
/// begin at the same address (CUDA C++ Programming Guide, `__shared__`), but for LLVM, and for the
/// analyses of grain IR, different variables do not overlap. So this comes before any pass.
void joinDynamicShared(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels);

} // namespace regrain
