//===- PairBarriers.h - Barriers out of both branches -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (c) { A; barrier; B } else { C; barrier; D }
//     =>  if (c) { A } else { C }  barrier;  if (c) { B } else { D }
//
// Legality. If all threads of the block take the same branch, they meet the same barriers as
// before, and others without effect. If they diverge, the n-th barrier of one branch is the n-th of
// the other: a barrier waits for a number of threads, wherever each of them meets it. So the
// barriers must stand in the branches' own blocks, and those that are paired must be of one kind.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Barriers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

[[nodiscard]] bool canPairBarriers(mlir::scf::IfOp guard, const Barriers &barriers);

/// Replaces `guard`, for which canPairBarriers() holds.
void pairBarriers(mlir::scf::IfOp guard);

} // namespace regrain
