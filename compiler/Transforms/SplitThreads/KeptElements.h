//===- KeptElements.h - Elements that later loops read again ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are dealt alike give a lane the same iterations. What one of them loads or stores in
// an iteration, and a later one loads in the iteration of the same number, can stay in a register:
//
//   for (j...) { m = max(m, a[j]); }               a[j] is loaded once,
//   for (j...) { b[j] = exp(a[j] - m); s += b[j] } b[j] is stored once, and not loaded
//   for (j...) { b[j] = b[j] / s; }
//
// Legality. The loops stand in one block, one behind the other, and begin and step alike. If they
// end differently, all ends are known before the first of them, and elements are kept if they are
// in front of all ends. They are dealt, so iterations of one loop are independent. Both addresses
// are the same expression, or the same polynomial (SameAddress.h), of the counter and of what both
// loops have around them. Nothing that the thread does between the two accesses may write there.
// Other threads of the program cannot write there without a race, because the kernel has nothing
// that orders threads, or it would not be split.
//
// A store is not needed if the later loop stores to the same address in every iteration, and
// nothing but loads that are kept may read it before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/SplitThreads/DealtLoops.h"

namespace regrain {

/// Finds what loops read again, and lets each keep `elements` iterations of each lane. Returns the
/// number of rows that are kept; 0 if nothing is read again.
unsigned findKeptElements(std::vector<DealtLoop> &loops, unsigned elements, Accesses &accesses);

/// Returns how many elements lanes may keep in a loop, the most first. They keep the greatest of
/// these numbers that the row has for all lanes, so that they run together. There is one unless
/// rows may be short.
[[nodiscard]] llvm::SmallVector<unsigned> numbersToKeep(const DealtLoop &dealt, bool areShort);

} // namespace regrain
