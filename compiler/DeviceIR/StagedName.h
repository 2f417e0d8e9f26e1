//===- StagedName.h - Names of tiles in shared memory -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace regrain {

/// Part of the name of each array in which a grain stages what a block reads, by which targets know
/// these arrays. Programs leave names with two underscores to the implementation.
inline constexpr llvm::StringLiteral stagedName = "__regrain_staged";

/// The name, which contains that one, of arrays of several tiles: what is copied into such an array
/// lies in other bytes than what threads read until the next barrier.
inline constexpr llvm::StringLiteral ringName = "__regrain_staged_ring";

} // namespace regrain
