//===- Reach.h - What a kernel refers to ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/References.h"
#include "compiler/Refusal/RefusalKind.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>

namespace regrain {

/// Why a kernel can have no code, by symbol.
using MissingReasons = std::map<std::string, Obstacle, std::less<>>;

/// Returns whether the target's own tools define the function of this name.
using DefinedLater = llvm::function_ref<bool(llvm::StringRef)>;

/// Adds each of `kernels` that refers to a function or variable that neither the module nor a later
/// tool defines.
void findUnresolved(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                    DefinedLater definedLater, MissingReasons &missing);

/// Adds each of `kernels` that calls through a pointer or takes a function's address, because
/// functions have a different address in each module.
void findFunctionPointers(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                          MissingReasons &missing);

/// Adds each of `kernels` whose own declarations need more than `limit` bytes of shared memory.
void findTooMuchShared(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                       uint64_t limit, MissingReasons &missing);

/// Removes the kernels named in `missing`, and every function that refers to something undefined.
void removeKernels(llvm::Module &module, const MissingReasons &missing, DefinedLater definedLater);

/// Returns the bytes of shared memory per block that the kernel's own declarations need.
uint64_t staticSharedBytes(const llvm::Function &kernel);

} // namespace regrain
