//===- Flatten.h - Kernels without calls ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines every direct call of a defined function that is not recursive, and simplifies the
// kernels: variables become registers, and short loops of known length are unrolled. The remaining
// calls are recursive or go through a pointer. Waiting operations are neither moved nor duplicated
// into other control flow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::cpu {

void flatten(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
             llvm::TargetMachine &machine);

/// Does only what the code generators need, so that a debugger sees functions and variables as the
/// source has them.
void keepStructure(llvm::Module &module, llvm::TargetMachine &machine);

/// Inlines the device library into the other functions.
void inlineLibrary(llvm::Module &module, llvm::TargetMachine &machine);

/// Optimises the finished module for the host. With `reordersSums`, sums in loops may be formed in
/// another order.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level,
              bool reordersSums);

} // namespace regrain::cpu
