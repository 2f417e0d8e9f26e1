//===- KernelRegions.h - A kernel cut into regions --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/ArenaLayout.h"
#include "compiler/Target/CPU/LiveAcross.h"

namespace regrain::cpu {

/// What the regions of a kernel share: the places of the values that live from one region to
/// another.
struct KernelRegions {
  llvm::Function &kernel;
  std::vector<Region> regions;
  LiveAcross live;
  bool states; ///< each thread has its own state

  ArenaLayout arena;
  /// Per-thread arrays, by value (or kept alloca).
  llvm::DenseMap<const llvm::Instruction *, unsigned> slots;
  /// Places that the whole block shares: fields of `uniformType`.
  llvm::DenseMap<const llvm::Instruction *, unsigned> uniforms;
  llvm::StructType *uniformType = nullptr;
  /// Arrays of the operands of waits; used if `exchanges` or `states`. Value i of a group is in
  /// array a + i, its result in array result + i.
  unsigned a, result, mask, b, c, wait, state, steps;
  unsigned mostValues = 1; ///< of a group
  bool exchanges = false;  ///< some wait passes values between threads

  KernelRegions(llvm::Function &kernel, std::vector<Region> regions, const Uniformity *uniformity);

  /// Returns whether threads note where they stand in a group: they may stand in different ones.
  bool hasSteps() const { return states && mostValues > 1; }
  unsigned indexOf(const llvm::BasicBlock *start) const;
  /// Returns the regions that may run after `stop`.
  llvm::SmallVector<unsigned> after(const Stop &stop) const;

private:
  void placeValues();
  void placeOperands();
  unsigned addOperands();
};

/// Returns true for the first wait of a group after which each thread may have values from others.
bool handsOverValues(const llvm::CallInst &wait);

/// Emits the function void(ptr args, ptr block, ptr uniforms) that runs region `index` for all
/// threads of the block; with states, for those that are in the region's state.
llvm::Function *emitRegion(const KernelRegions &kernel, unsigned index);

} // namespace regrain::cpu
