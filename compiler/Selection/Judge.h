//===- Judge.h - Which compiled grains stay ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Compares the code of each grain with the original's and with the grains before it, by the rules
/// of Alternatives/Prune.h, one target at a time. A grain of the space that is worse or a duplicate
/// loses its code for that target. A grain that --coarsen asks for, and every grain under
/// --alternatives=all, keeps its code, and the finding is recorded. The control is kept unless its
/// code is the original's or no other grain is kept, because it is needed for comparison even if it
/// is slow. Fills `build.candidates`.
void judge(Build &build);

/// Removes the grains for which no target has code from the plans. Those of --coarsen stay, so that
/// the runtime can name them, except variants that the source does not offer: these have no rule.
void dropUnused(Build &build);

} // namespace regrain
