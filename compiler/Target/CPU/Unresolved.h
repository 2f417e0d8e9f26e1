//===- Unresolved.h - Undefined symbols of the CPU target -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace regrain::cpu {

/// Refuses a kernel that reaches a function, intrinsic, piece of inline assembly or variable that
/// is not defined anywhere. Call this after the built-ins are lowered and the library is linked. A
/// kernel that calls through pointers reaches every function whose address is taken. With
/// `variablesElsewhere`, variables may be defined in another object.
[[nodiscard]] std::optional<Refusal> checkResolved(llvm::Function &kernel, bool variablesElsewhere);

/// Replaces calls of undefined functions by a trap, except in kernels: only kernels without code
/// reach them.
void trapUnresolved(llvm::Module &module);

} // namespace regrain::cpu
