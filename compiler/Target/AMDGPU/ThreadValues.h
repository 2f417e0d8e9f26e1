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

/// How a function's blocks follow each other.
struct FunctionShape {
  const llvm::DominatorTree &dominators;
  const llvm::LoopInfo &loops;
};

/// Coordinates of a thread in its block, a bit each: bit d is dimension d.
enum Coordinates : unsigned { None = 0, X = 1, Y = 2, Z = 4 };

/// The coordinate that `value` is.
Coordinates coordinateOf(const llvm::Value &value);
/// Those that the function itself asks for.
unsigned coordinatesIn(const llvm::Function &function);

/// Coordinates by which the threads of a block must not differ for what was found out about a
/// kernel to hold, by its symbol.
using SingleDimensions = llvm::StringMap<unsigned>;

/// False if `value` is the same in all threads of a block. What one thread reads at
/// an address all read there.
bool differsInBlock(const llvm::Value &value, const FunctionShape &shape);
/// The same where it is used, which threads may come to in different rounds of a loop.
bool differsInBlock(const llvm::Use &use, const FunctionShape &shape);

/// Whether threads may use values of different rounds of a loop in `user`.
bool mixesRounds(const llvm::Instruction &user, const FunctionShape &shape);

/// Asks once, in the entry block, for what the launch and the thread's place are, so
/// that equal values are one.
void uniteCoordinates(llvm::Function &function);

} // namespace regrain::amdgpu
