//===- Callees.h - What a kernel may call -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace regrain::cpu {

using Functions = llvm::SmallSetVector<llvm::Function *, 16>;

/// Returns the functions that may run when `kernel` does, starting with the kernel. A call through
/// a pointer may reach any function whose address is taken in the module.
Functions calledFrom(llvm::Function &kernel);

} // namespace regrain::cpu
