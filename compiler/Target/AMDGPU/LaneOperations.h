//===- LaneOperations.h - Operations of the lanes of a mask -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace regrain::amdgpu {

/// Returns whether a function of our library is an operation of the lanes of a mask. A query of the
/// active lanes names no lanes.
bool isShared(const llvm::Function &function);

/// Returns the function that lanes run together at `inst`, or null.
const llvm::Function *sharedBy(const llvm::Instruction &inst);

/// The kind of operations that name the same lanes and do the same.
struct Kind {
  /// What the hardware does, whatever the types: "nvvm_shfl".
  llvm::StringRef operation;
  const llvm::Value *lanes;
  bool operator==(const Kind &other) const = default;
};

/// The operations of a kernel that name lanes, with their kinds.
using Kinds = llvm::MapVector<const llvm::Instruction *, Kind>;

Kinds kindsIn(const llvm::Function &kernel);

} // namespace regrain::amdgpu
