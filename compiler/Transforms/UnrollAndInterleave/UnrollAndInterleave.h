//===- UnrollAndInterleave.h - Several iterations as one --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs copies of a parallel loop's body, one for each iteration to be joined, side by side:
//
//   A(i); if (u) { B(i); } barrier; C(i)
//     =>  A(i0); A(i1); if (u) { B(i0); B(i1); } barrier; C(i0); C(i1)
//
// - What is the same for all copies and has no effect is kept once. So is a plain load whose
//   address is the same for all, because copies that run in step see the same value, and a plain
//   store of one value to one place.
// - An if, for, while or index_switch whose control is the same for all copies is jammed into one,
//   with a result for each copy.
// - Regions whose control differs, without a barrier inside, are copied whole, one after the other.
//   A guard with memory accesses is versioned, within a budget: `if (all copies inside)
//   {interleaved} else {one by one}`. If such a branch is copied again, the interleaved side is
//   the one that is versioned. A loop with memory accesses is peeled, within the same budget: `for`
//   and `while` run jammed as long as all copies go on, and then each copy's own loop runs the
//   rest.
//   Guards of neighbours can be joined instead (`partners`): `if (the inner copies inside)
//   {interleaved} else {one by one}`. The copies at both ends run with the inner ones even if their
//   guard excludes them. Then they load at the address of their partner, and do not store:
//     if (i0) { x = load p0; store x, q0 }; if (i1) { y = load p1; store y, q1 }   (i1 is inner)
//       =>  if (i1) { a = load (i0 ? p0 : p1); y = load p1; x = i0 ? a : poison
//                     if (i0) { store x, q0 }; store y, q1 } else { if (i0) ... }
// - A barrier is kept once: it waits for all copies.
// - What lanes of a warp do together, copies that are such lanes do once (`lanes`, JoinLanes.h).
// - Of neighbours (Neighbours.h), more is the same. What is kept once is computed as the first copy
//   computes it, and numbers near each other are that of the first copy and a constant.
//
// Legality. Copies are iterations that may run at the same time, and each copy keeps the order of
// its own operations. Hence any interleaving is legal if no copy waits for another (Waiting.h) and
// all copies meet barriers together. A barrier under control that differs between copies is
// therefore refused, with two exceptions. Copies that belong to different blocks do not meet at
// barriers: if the threads of each block agree about the control, the copies run one after the
// other, including their barriers. Copies in one block whose control differs only because of loads
// from shared addresses agree, because CUDA requires it (Uniformity.h): then the control of the
// first copy serves all. A region is versioned or peeled only without convergent operations,
// because the lanes of a warp would be separated. The condition of a `while` is evaluated once more
// after the jammed loop, so it may only read. A guard is joined if all that it guards are plain
// loads and stores and operations that may run anywhere, in conditions without results and in
// control that is the same for all copies. A copy that is excluded makes loads that its partner
// makes in the same place, and its results are not used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Neighbours.h"
#include "compiler/Analysis/Uniformity.h"
#include "compiler/Refusal/Refusal.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include <optional>

namespace regrain {

class JoinedLanes;

/// What the copies have in common, and how they differ.
struct Copies {
  const Uniformity &uniformity; ///< of the kernel that holds the source
  const Barriers &barriers;     ///< of the source
  Dependence varying;           ///< the coordinates in which copies differ
  bool inOneBlock;              ///< whether they meet at barriers
  /// What the copies have in common if they are neighbours, in order; null if they are not.
  const Neighbours *neighbours = nullptr;
  /// Conditions whose else is for a case that does not occur in practice: it may be slow.
  llvm::ArrayRef<mlir::Operation *> forRareCases = {};
  /// Operations that run once for all copies although they have effects, if the caller knows that
  /// their operands and their control are the same; may be null.
  const llvm::DenseSet<mlir::Operation *> *once = nullptr;
  /// For each copy the one that serves in its place where guards are joined, itself if it is an
  /// inner one; empty if guards are not joined.
  llvm::ArrayRef<unsigned> partners = {};
  unsigned *joinedGuards = nullptr; ///< counts them, if there are partners
  /// Runs what lanes of a warp do together, if copies are lanes of one warp; otherwise null.
  const JoinedLanes *lanes = nullptr;
};

/// Returns whether each copy must run `op`, or something in it; otherwise it is kept once.
[[nodiscard]] bool isOwnOfCopies(mlir::Operation *op, const Copies &copies);

/// Interleaves `source`, operations of one block in order, at `builder`. There is one mapping for
/// each copy. On entry it maps the coordinates, and on return all values of `source`. Operations
/// that are mapped on entry are skipped. The coordinates that name a barrier's loops are those of
/// the first copy.
[[nodiscard]] std::optional<Refusal>
unrollAndInterleave(llvm::ArrayRef<mlir::Operation *> source, mlir::OpBuilder &builder,
                    llvm::MutableArrayRef<mlir::IRMapping> mappings, const Copies &copies);

} // namespace regrain
