//===- Uniformity.h - What a value depends on in the nest -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each value of a kernel this analysis finds the coordinates of the nest on which the value
// depends: threads that differ only in other coordinates have the same value. A value that depends
// on nothing is the same for all threads of all blocks that compute it in the same iteration of the
// loops around it.
//
// Memory is a dependence of its own: threads that load from the same address may see different
// values because it is written in between. CUDA requires that control around a barrier is the same
// in all threads of the block. A correct program may base it on such a load, so the dependence on
// memory alone does not count there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/ConstantMemory.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "llvm/ADT/DenseSet.h"

namespace regrain {

/// The reasons why a value may differ, as a set; an unknown value has all of them.
enum class Dependence : uint8_t {
  None = 0,
  BlockX = 1 << 0,
  BlockY = 1 << 1,
  BlockZ = 1 << 2,
  ThreadX = 1 << 3,
  ThreadY = 1 << 4,
  ThreadZ = 1 << 5,
  BlockMemory = 1 << 6,  ///< loaded at an address that blocks may share
  ThreadMemory = 1 << 7, ///< loaded at an address that threads may share
  Blocks = BlockX | BlockY | BlockZ,
  Threads = ThreadX | ThreadY | ThreadZ,
  Memory = BlockMemory | ThreadMemory,
  All = 0xff,
};

constexpr Dependence operator|(Dependence a, Dependence b) {
  return Dependence(uint8_t(a) | uint8_t(b));
}
constexpr Dependence operator&(Dependence a, Dependence b) {
  return Dependence(uint8_t(a) & uint8_t(b));
}
constexpr bool overlap(Dependence a, Dependence b) { return (a & b) != Dependence::None; }

/// Computes the dependences of a kernel's values. The object is valid until the kernel changes.
class Uniformity {
public:
  /// Allocations of shared memory in `common`, if given, count as the same memory in all blocks.
  explicit Uniformity(grain::KernelOp kernel,
                      const llvm::DenseSet<mlir::Operation *> *common = nullptr);

  [[nodiscard]] Dependence of(mlir::Value value) const;

  /// Returns what decides which regions of `op` run, and how often: All for an operation whose
  /// control is not understood, None for one without regions.
  [[nodiscard]] Dependence ofControl(mlir::Operation *op) const;

private:
  void visit(mlir::Operation *op);
  void visitRegions(mlir::Operation *op);
  Dependence ofResults(mlir::Operation *op);
  Dependence ofOperands(mlir::Operation *op) const;
  void add(mlir::Value value, Dependence more);

  llvm::DenseMap<mlir::Value, Dependence> known;
  const llvm::DenseSet<mlir::Operation *> *common;
  ConstantMemory constantMemory;
  bool changed = false;
};

} // namespace regrain
