//===- Reach.h - What a kernel refers to ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/References.h"
#include "compiler/Refusal/Refusal.h"
#include "llvm/IR/Module.h"
#include <string>

namespace regrain {

/// Returns whether the target's own tools define the function of this name.
using DefinedLater = llvm::function_ref<bool(llvm::StringRef)>;

/// Refuses each of `kernels` that refers to a function or variable that neither the module nor a
/// later tool defines.
void findUnresolved(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                    DefinedLater definedLater, RefusedKernels &refused);

/// Refuses each of `kernels` that calls through a pointer or takes a function's address, also within
/// a table, because functions have a different address in each module.
void findFunctionPointers(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                          RefusedKernels &refused);

/// Returns a refusal if a kernel that declares `bytes` of shared memory exceeds `limit`.
std::optional<Refusal> checkDeclaredShared(uint64_t bytes, uint64_t limit);

/// Refuses each of `kernels` whose own declarations need more than `limit` bytes of shared memory.
void findTooMuchShared(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                       uint64_t limit, RefusedKernels &refused);

/// Removes the refused kernels that are still there, and every function that refers to something
/// undefined.
void removeKernels(llvm::Module &module, const RefusedKernels &refused, DefinedLater definedLater);

/// Returns the bytes of shared memory per block that the kernel's own declarations need.
uint64_t staticSharedBytes(const llvm::Function &kernel);

} // namespace regrain
