//===- LoopInterchange.h - Loops outside of the threads' --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for each thread                       for k
//     for k                       becomes   for each thread
//       sum += a[y][k] * b[k][x]              sum[thread] += a[y][k] * b[k][x]
//
// so that the loop over the threads is the innermost one and vectorises. It is
// done by a barrier at the end of each turn, at which regions are cut.
//
// Legal for a loop that all threads of the block run alike: a barrier may stand
// there. Done for innermost loops with plain memory accesses alone, where
// neighbouring threads touch one address or neighbouring ones, and few values go
// from turn to turn.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/Uniformity.h"

namespace regrain::cpu {

/// Returns true where a loop was changed; the uniformity is then to be computed anew.
bool interchangeLoops(llvm::Function &kernel, const Uniformity &uniformity);

} // namespace regrain::cpu
