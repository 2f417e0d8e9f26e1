//===- SplitCopies.h - Copies of rows as loads and stores -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   memcpy(local, x + i, 32)
//     =>  v = load x[i .. i + 16]; w = load x[i + 16 .. i + 32]; store v, local; store w, local +
//     16
//
// A program that moves several numbers at once does so by a structure, and clang copies that. Only
// loads and stores are known to hold what a row has.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Replaces copies of few bytes between arrays of a thread and memory that a parameter points to by
/// loads and stores, as wide as both sides are known to be aligned. Returns whether there were any.
bool splitCopies(grain::KernelOp kernel);

} // namespace regrain
