//===- Unresolved.h - What the CPU cannot supply ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/RefusalKind.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace regrain::cpu {

/// Why `kernel` cannot run: a function, intrinsic, piece of inline assembly or
/// variable that it reaches and nobody defines. Nothing where it can. Runs after
/// the built-ins are lowered and the library is linked. A kernel that calls
/// through pointers reaches every function whose address is taken.
/// `variablesElsewhere`: variables may be defined in another object.
std::optional<Obstacle> missingFor(llvm::Function &kernel, bool variablesElsewhere);

/// Replaces, in functions other than kernels, calls that nobody defines by a
/// trap: only kernels without code reach them.
void trapUnresolved(llvm::Module &module);

} // namespace regrain::cpu
