//===- launch_class.h - Launches that are tuned together --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a launch a choice among alternatives depends on. A program that shrinks
// its grid with every step has thousands of launches and a handful of classes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace regrain {

struct LaunchClass {
  Extent block;                ///< threads per block, as the program launches
  uint64_t dynamicSharedBytes; ///< per block
  /// Bytes that all pointer arguments are aligned to: a power of two up to 16.
  uint32_t alignment;
  /// The grid fills the device 2^(logWaves-1) to 2^logWaves times, exclusively and
  /// inclusively; between leastLogWaves and mostLogWaves, which reach further.
  int32_t logWaves;

  static constexpr int32_t leastLogWaves = -6;
  static constexpr int32_t mostLogWaves = 10;

  friend auto operator<=>(const LaunchClass &, const LaunchClass &) = default;
};

/// `residentBlocks` is how many blocks of the original the whole device holds at
/// once, at least 1.
[[nodiscard]] LaunchClass classify(const LaunchShape &program, uint64_t residentBlocks,
                                   uint32_t alignment);

/// "block=256x1x1,shared=0,align=16,waves=4"; fractions as "1/8". What the database
/// and files hold.
[[nodiscard]] std::string toString(const LaunchClass &launchClass);

/// Nothing where `text` is not what toString gives.
[[nodiscard]] std::optional<LaunchClass> parseLaunchClass(std::string_view text);

} // namespace regrain
