//===- KernelEntry.h - A kernel's entry for the plugin ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <string>

namespace regrain::cpu {

/// The fields of RegrainCpuKernel.
struct KernelEntry {
  uint32_t staticSharedBytes = 0;
  uint64_t arenaFixedBytes = 0;
  uint64_t arenaBytesPerThread = 0;
  llvm::Function *runBlock = nullptr;
  bool mayWait = false;
};

/// Emits the constant RegrainCpuKernel under `symbol`.
void emitKernelEntry(llvm::Module &module, llvm::StringRef symbol, const KernelEntry &entry);

/// Creates an internal function void(ptr args, ptr block) without a body.
llvm::Function *createRunBlock(llvm::Module &module, llvm::StringRef name);

/// Loads the kernel's arguments from `args`, with the layout of abi.h. A by-value parameter is a
/// pointer to the launch's own copy.
llvm::SmallVector<llvm::Value *> loadArguments(llvm::IRBuilder<> &builder, llvm::Function &kernel,
                                               llvm::Value *args);

/// Marks a pointer parameter of a kernel that stands for a value passed by value.
inline constexpr llvm::StringLiteral byValueAttribute = "regrain-by-value";

} // namespace regrain::cpu
