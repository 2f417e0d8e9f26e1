//===- ThreadValues.h - How values differ between threads -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace regrain::amdgpu {

/// The control flow of a function.
struct FunctionShape {
  const llvm::DominatorTree &dominators;
  const llvm::LoopInfo &loops;
};

/// The coordinates of a thread in its block as a set: bit d is dimension d.
enum Coordinates : unsigned { None = 0, X = 1, Y = 2, Z = 4 };

/// Returns the coordinate that `value` is, or None.
Coordinates coordinateOf(const llvm::Value &value);
/// Returns the coordinates that the function itself reads.
unsigned coordinatesIn(const llvm::Function &function);

/// By a kernel's symbol, the coordinates in which the threads of a block must not differ for what
/// was found about the kernel to hold.
using SingleDimensions = llvm::StringMap<unsigned>;

/// Returns false if `value` is the same in all threads of a block. Threads that read the same
/// address are assumed to read the same value.
bool differsInBlock(const llvm::Value &value, const FunctionShape &shape);
/// Returns the same for a use, which threads may reach in different iterations of a loop.
bool differsInBlock(const llvm::Use &use, const FunctionShape &shape);

/// Returns whether threads may use values of different iterations of a loop in `user`.
bool mixesRounds(const llvm::Instruction &user, const FunctionShape &shape);

/// Reads coordinates and sizes of the launch only once, in the entry block, so that equal values
/// are one.
void uniteCoordinates(llvm::Function &function);

} // namespace regrain::amdgpu
