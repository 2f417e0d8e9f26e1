//===- LaneOperations.h - What the lanes of a mask do together --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace regrain::amdgpu {

/// Of our library: what the lanes of a mask do together. Asking who is there names no lanes.
bool isShared(const llvm::Function &function);

/// The function that lanes run together there, null where they do not.
const llvm::Function *sharedBy(const llvm::Instruction &inst);

/// Operations that name the same lanes, all of which do the same.
struct Kind {
  /// What the machine does, whatever the types: "nvvm_shfl".
  llvm::StringRef operation;
  const llvm::Value *lanes;
  bool operator==(const Kind &other) const = default;
};

/// The operations of a kernel that name lanes.
using Kinds = llvm::MapVector<const llvm::Instruction *, Kind>;

Kinds kindsIn(const llvm::Function &kernel);

} // namespace regrain::amdgpu
