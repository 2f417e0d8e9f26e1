//===- UnrollAndInterleave.h - Several iterations as one --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the copies of a parallel loop's body, one for each iteration that is to
// be served, side by side:
//
//   A(i); if (u) { B(i); } barrier; C(i)
//     =>  A(i0); A(i1); if (u) { B(i0); B(i1); } barrier; C(i0); C(i1)
//
// - What is the same for all copies and has no effect is kept once; so is a plain
//   load whose address is the same for all, for copies that run in step see the
//   same, and a plain store of one value to one place.
// - if, for, while and index_switch whose control is the same for all copies are
//   jammed into one, with a result for each copy.
// - Regions whose control differs, without a barrier inside, are copied whole,
//   one after the other. A guard with memory accesses is versioned, within a
//   budget: `if (all copies inside) {interleaved} else {one by one}`. A loop with
//   memory accesses is peeled, within the same budget: `for` and `while` run
//   jammed as long as all copies go on, then each copy's own loop runs the rest.
// - A barrier is kept once: it waits for all copies.
//
// Legality. Copies are iterations that may run at the same time, and each copy
// keeps the order of its own operations; hence any interleaving is legal as long
// as no copy waits for another (Progress.h), and barriers are met by all copies
// together. A barrier under control that differs between copies is therefore
// refused, but for two cases. Copies that belong to different blocks do not meet
// at barriers; where the threads of each agree about the control, the copies run
// one after the other, barriers included. Copies in one block whose control
// differs by loads from shared addresses alone agree, because CUDA asks for it
// (Uniformity.h); then the control of the first copy serves all.
// A region is versioned or peeled only without convergent operations: lanes of a
// warp would be parted. The condition of a `while` is asked once more where the
// jammed loop has ended, so it may only read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Uniformity.h"
#include "compiler/Transforms/Refusal.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace regrain {

/// What the copies have in common, and what not.
struct Copies {
  const Uniformity &uniformity; ///< of the kernel that holds the source
  const Barriers &barriers;     ///< of the source
  Dependence varying;           ///< in what copies differ
  bool inOneBlock;              ///< they meet at barriers
};

/// Interleaves `source`, operations of one block in order, at `builder`. There
/// is one mapping for each copy; each maps the coordinates on entry, and all
/// values of `source` in the end. Operations that are mapped on entry are
/// skipped. The coordinates that name a barrier's loops are the first copy's.
llvm::LogicalResult unrollAndInterleave(llvm::ArrayRef<mlir::Operation *> source,
                                        mlir::OpBuilder &builder,
                                        llvm::MutableArrayRef<mlir::IRMapping> mappings,
                                        const Copies &copies, Refusal &refusal);

} // namespace regrain
