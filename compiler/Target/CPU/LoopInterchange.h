//===- LoopInterchange.h - Loops around the loops over threads --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for each thread                       for k
//     for k                       becomes   for each thread
//       sum += a[y][k] * b[k][x]              sum[thread] += a[y][k] * b[k][x]
//
// The loop over the threads then is the innermost one and is vectorised. This is done by a barrier
// at the end of each iteration, at which regions are cut.
//
// Legal for a loop that all threads of the block run alike, because a barrier may stand there. It
// is done only for innermost loops that have nothing but plain memory accesses, in which
// neighbouring threads access the same or neighbouring addresses, and which carry few values.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/Uniformity.h"

namespace regrain::cpu {

/// Returns true if a loop was changed; the uniformity must then be computed again.
bool interchangeLoops(llvm::Function &kernel, const Uniformity &uniformity);

} // namespace regrain::cpu
