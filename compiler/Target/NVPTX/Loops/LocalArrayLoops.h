//===- LocalArrayLoops.h - Loops over arrays of a thread --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of a thread lives in registers only if all its indices are constant, and otherwise in
// local memory, which is device memory. A loop that counts through such an array is therefore worth
// much more code when it is unrolled completely than LLVM's threshold allows, which does not count
// what becomes of the array.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace regrain::nvptx {

/// Makes the pipelines of `builder` unroll innermost loops completely that index a small array of
/// the thread by their counter, if that gives at most a few thousand instructions, and all indices
/// of the array are constant then. Loops within loops that index such an array, and have at most 8
/// iterations, but no constant number of them, are unrolled to their bound: the addresses in the
/// array are then constant, and what the outer loop does not change is read in front of it. Loops
/// that say themselves how they are unrolled stay, and so do those that call functions. Loops with
/// convergent operations are not unrolled to a bound.
void unrollOverLocalArrays(llvm::PassBuilder &builder);

} // namespace regrain::nvptx
