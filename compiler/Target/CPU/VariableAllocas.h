//===- VariableAllocas.h - Stack allocations of dynamic size ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A continuation leaves the hardware stack when its thread waits, so memory of dynamic size that it
// allocates there would be lost.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::cpu {

/// Gives such memory of `function` its own place until the function returns, or until the stack is
/// restored.
void moveVariableAllocas(llvm::Function &function);

} // namespace regrain::cpu
