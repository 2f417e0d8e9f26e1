//===- WaitingAccess.h - Reads and writes of an instruction -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"

namespace regrain::amdgpu {

/// Returns whether `inst` may see what others write; any load may if `fenced` is true.
bool looks(const llvm::Instruction &inst, bool fenced);

/// Returns the address that `inst` writes; null if it does not write, or not at one address.
const llvm::Value *writtenAddress(const llvm::Instruction &inst);

/// Returns the address that a waiting read reads; null if that is not known.
llvm::Value *readAddress(llvm::Instruction &read);

/// Returns whether a successful read acquires something, such as a lock.
bool takes(const llvm::Instruction &read);

} // namespace regrain::amdgpu
