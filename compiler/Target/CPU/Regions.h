//===- Regions.h - What threads run between two waits -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region begins at the kernel's entry, behind a wait, or behind a branch that
// all threads of the block take together; each of its paths ends at a stop: a
// wait, such a branch, or the kernel's return. A block may be part of several
// regions.
//
//   entry: ...; i = 0                     region 0: entry .. head
//   head:  if (i < n) body else out       stop: branch, if n is uniform
//   body:  a; barrier; b; i++; goto head  regions: {a}, {b, i++, head}
//   out:   ...; return                    region: {out}
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/Uniformity.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

namespace regrain::cpu {

/// Where a path of a region ends.
struct Stop {
  enum Kind { Wait, Branch, Return };
  Kind kind;
  llvm::BasicBlock *block; ///< holds the wait, the branch, the return
};

struct Region {
  llvm::BasicBlock *start;
  /// The wait behind which the region begins, or null.
  llvm::CallInst *after = nullptr;
  std::vector<Stop> stops;
  llvm::SetVector<llvm::BasicBlock *> blocks; ///< without those of waits
};

/// A new block on the way from `from` to `to`; one for all edges of a switch between them.
llvm::BasicBlock *insertBlock(llvm::BasicBlock *from, llvm::BasicBlock *to);

/// Brings a kernel into the form that regions need: one return, each wait alone
/// in a block, no edge that leads from a branch to a block with other
/// predecessors where the sides may reach different waits. Returns false where
/// some path ends nowhere (an endless loop without a wait).
[[nodiscard]] bool prepareForRegions(llvm::Function &kernel);

/// The wait that a block prepared so consists of, or null.
llvm::CallInst *waitIn(const llvm::BasicBlock &block);

/// Regions that all threads of the block run together; nothing if a branch that
/// decides between waits is not uniform. The first region is the entry's.
std::optional<std::vector<Region>> commonRegions(llvm::Function &kernel,
                                                 const Uniformity &uniformity);

/// Regions bounded by waits alone, each thread taking its own way.
std::vector<Region> threadRegions(llvm::Function &kernel);

} // namespace regrain::cpu
