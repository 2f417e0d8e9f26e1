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

/// Adds to each grain of `space`, and to the original, forms that are compiled for launches like
/// those of `seen`. They come before the grain: one for each block, and one for everything that is
/// known of a launch, if the grain's factors fit. What was seen decides what is proposed, never
/// what runs: the runtime compares every launch.
[[nodiscard]] std::vector<Grain> addForSeen(llvm::ArrayRef<KnownLaunch> seen,
                                            std::vector<Grain> space);

/// Returns the block of the launches if it is known, possible and the same for all; nothing
/// otherwise.
[[nodiscard]] std::optional<Factors> commonBlock(llvm::ArrayRef<KnownLaunch> seen);

/// The bound that is assumed if not all launches show their block.
inline constexpr unsigned usualBound = 256;

/// Returns the threads that no block of the launches exceeds, as far as they show it; 0 if that
/// adds nothing to `launchBounds`, the program's own, or to the limit of any block.
[[nodiscard]] unsigned boundFor(llvm::ArrayRef<KnownLaunch> seen, unsigned launchBounds);

} // namespace regrain
