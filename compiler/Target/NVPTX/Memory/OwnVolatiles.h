//===- OwnVolatiles.h - Volatile variables of one thread --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function such as `swap(T &a, T &b)` that a program calls with volatile integers has a volatile
// variable of its own, and LLVM keeps it in memory. Nobody but the thread can reach that memory.
// nvcc keeps such variables in registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes accesses to variables of a function plain where only loads and stores use their addresses.
/// Numbers with a fraction stay volatile: programs use that against the fusion of operations.
void releaseOwnVolatiles(llvm::Module &module);

} // namespace regrain::nvptx
