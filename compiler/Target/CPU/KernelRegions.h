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

/// What the regions of a kernel share: where values live between them.
struct KernelRegions {
  llvm::Function &kernel;
  std::vector<Region> regions;
  LiveAcross live;
  bool states; ///< each thread has a state of its own

  ArenaLayout arena;
  /// Per-thread places, by value (or kept alloca).
  llvm::DenseMap<const llvm::Instruction *, unsigned> slots;
  /// Places for the whole block: fields of `uniformType`.
  llvm::DenseMap<const llvm::Instruction *, unsigned> uniforms;
  llvm::StructType *uniformType = nullptr;
  /// Operands of waits; used where `exchanges` or `states`.
  unsigned a, result, mask, b, c, wait, state;
  bool exchanges = false; ///< some wait hands values from thread to thread

  KernelRegions(llvm::Function &kernel, std::vector<Region> regions, const Uniformity *uniformity);

  unsigned indexOf(const llvm::BasicBlock *start) const;
  /// The regions that may run behind `stop`.
  llvm::SmallVector<unsigned> after(const Stop &stop) const;

private:
  void placeValues();
  void placeOperands();
};

/// True for a wait behind which each thread may have a value from others.
bool handsOverValues(const llvm::CallInst &wait);

/// The function void(ptr args, ptr block, ptr uniforms) that runs region `index`
/// for all threads of the block; with states, for those whose state it is.
llvm::Function *emitRegion(const KernelRegions &kernel, unsigned index);

} // namespace regrain::cpu
