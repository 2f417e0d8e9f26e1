//===- VariableAllocas.h - Stack memory of a size known when run *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A continuation leaves the machine's stack where its thread waits, so that what it
// allocates there by a size that is known only when run would be lost.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::cpu {

/// Gives such memory of `function` a place of its own until the function returns, or until
/// the stack is restored as it was before.
void moveVariableAllocas(llvm::Function &function);

} // namespace regrain::cpu
