//===- SeenLaunches.h - Grains for launches that were seen ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace regrain {

/// `space` with each of its grains, the original first, also compiled for
/// launches like those of `seen`: in front of the grain, once for each block and
/// once for everything that is known of a launch, as far as the grain's factors
/// fit that. What was seen decides what is proposed, never what runs: the runtime
/// compares every launch.
[[nodiscard]] std::vector<Grain> addForSeen(llvm::ArrayRef<KnownLaunch> seen,
                                            std::vector<Grain> space);

/// The block of the launches where it is known and possible; nothing where these differ.
[[nodiscard]] std::optional<Factors> commonBlock(llvm::ArrayRef<KnownLaunch> seen);

/// Of a block whose launches do not all show it.
inline constexpr unsigned usualBound = 256;

/// Threads that no block of the launches exceeds, as far as they show it; 0 where that
/// says nothing beside `launchBounds`, the program's own, or the limit of any block.
[[nodiscard]] unsigned boundFor(llvm::ArrayRef<KnownLaunch> seen, unsigned launchBounds);

} // namespace regrain
