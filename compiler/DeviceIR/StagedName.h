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

/// What follows that name, in front of a number, if threads read what was copied by as many
/// barriers later, the first of which is the next one. What is copied before a first barrier is
/// read behind that. Without it, the number is 1.
inline constexpr llvm::StringLiteral aheadInfix = "_ahead";

/// What follows either name if whole rows of the array are copied at once. Such a copy is a
/// `memcpy` of a multiple of 16 bytes, at least one, from memory that is not written while the
/// kernel runs. Both sides are multiples of 16 bytes, and threads read what was copied behind the
/// next barrier, or a later one (aheadInfix).
inline constexpr llvm::StringLiteral bulkSuffix = "_bulk";

/// The name of the word in shared memory that counts what such copies have copied.
inline constexpr llvm::StringLiteral counterName = "__regrain_copied";

} // namespace regrain
