//===- Regions.h - The code between two waits -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region starts at the kernel's entry, after a wait, or after a branch that all threads of the
// block take together. Each of its paths ends at a stop: a wait, such a branch, or the kernel's
// return. A group of waits (WaitGroups.h) counts as one. A block may be part of several regions.
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

/// The end of a path of a region.
struct Stop {
  enum Kind { Wait, Branch, Return };
  Kind kind;
  llvm::BasicBlock *block; ///< contains the group of waits, the branch or the return
};

struct Region {
  llvm::BasicBlock *start;
  /// The group of waits after which the region starts, or nothing.
  llvm::SmallVector<llvm::CallInst *> after;
  std::vector<Stop> stops;
  llvm::SetVector<llvm::BasicBlock *> blocks; ///< without the blocks of waits
};

/// Creates a block on the edge from `from` to `to`; one block for all edges of a switch between
/// them.
llvm::BasicBlock *insertBlock(llvm::BasicBlock *from, llvm::BasicBlock *to);

/// Brings a kernel into the form that regions need: one return, each group of waits alone in a
/// block, and no edge from a branch to a block with other predecessors if the sides of the branch
/// may reach different waits. Returns false if some path never ends (an endless loop without a
/// wait).
[[nodiscard]] bool prepareForRegions(llvm::Function &kernel);

/// Returns the first wait of the group of which a block in this form consists, or null.
llvm::CallInst *waitIn(const llvm::BasicBlock &block);

/// Returns regions that all threads of the block run together; nothing if a branch that decides
/// between waits is not uniform. The first region is the entry's.
std::optional<std::vector<Region>> commonRegions(llvm::Function &kernel,
                                                 const Uniformity &uniformity);

/// Returns regions that are bounded only by waits, where each thread takes its own path.
std::vector<Region> threadRegions(llvm::Function &kernel);

} // namespace regrain::cpu
