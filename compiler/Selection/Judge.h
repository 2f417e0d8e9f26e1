//===- Judge.h - Which compiled grains stay ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Build.h"

namespace regrain {

/// Compares the code of each grain with the original's and with the grains before
/// it, by the rules of Alternatives/Prune.h, one target at a time. A grain of the
/// space that is worse, or a duplicate, loses its code for that target; one that
/// --coarsen asks for, and every one under --alternatives=all, keeps it and has
/// the finding on record. The control stays unless it is the original's code, or no other
/// grain does: what it is compared with must be the same at any price. Fills
/// `build.candidates`.
void judge(Build &build);

/// Takes the grains out of the plans that no target has code for. Those of
/// --coarsen stay, so that the runtime can name them.
void dropUnused(Build &build);

} // namespace regrain
