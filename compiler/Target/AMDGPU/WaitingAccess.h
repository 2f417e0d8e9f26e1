//===- WaitingAccess.h - What an instruction reads and writes ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"

namespace regrain::amdgpu {

/// Whether `inst` may see what others write: where `fenced`, by any load.
bool looks(const llvm::Instruction &inst, bool fenced);

/// Where `inst` writes, null where it does not or where that is no one place.
const llvm::Value *writtenAddress(const llvm::Instruction &inst);

/// The address that a waiting read reads, null where that is not known.
llvm::Value *readAddress(llvm::Instruction &read);

/// Whether the read takes something where it succeeds: a lock.
bool takes(const llvm::Instruction &read);

} // namespace regrain::amdgpu
