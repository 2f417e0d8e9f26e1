//===- launch_class.h - Launches that are tuned together --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a launch a choice among alternatives depends on, in buckets: a program that
// shrinks its grid with every step has thousands of launches and a handful of classes.
//
// Floating-point arguments are left out, as is what lies in memory: they decide on values,
// and where they decide on the work, too, the watch over what was chosen sees it (watch.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/image/integers.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace regrain {

/// Of an integer: 0, 1, 2 to 3, 4 to 15, 16 to 63, and so on by powers of four, counted from 0;
/// below 0 for negative ones. Small numbers choose paths, large ones are sizes.
using Magnitude = int8_t;

[[nodiscard]] Magnitude magnitudeOf(int64_t value);

/// The integer nearest to 0 of that magnitude.
[[nodiscard]] int64_t leastOf(Magnitude magnitude);

/// Of the integers that a launch passes, in the order of image::Kernel::integers.
struct Magnitudes {
  uint8_t count = 0;
  std::array<Magnitude, mostIntegers> of = {}; ///< 0 from `count` on
  friend auto operator<=>(const Magnitudes &, const Magnitudes &) = default;
};

/// Reads them, as signed integers, from a launch's arguments; of `integers` the first mostIntegers.
[[nodiscard]] Magnitudes readMagnitudes(std::span<const image::IntegerArgument> integers,
                                        void *const *arguments);

struct LaunchClass {
  Extent block;                ///< threads per block, as the program launches
  uint64_t dynamicSharedBytes; ///< per block
  /// Bytes that all pointer arguments are aligned to: a power of two up to 16.
  uint32_t alignment;
  /// The grid fills the device 2^(logWaves-1) to 2^logWaves times, exclusively and
  /// inclusively; between leastLogWaves and mostLogWaves, which reach further.
  int32_t logWaves;
  /// The grid's shape: its blocks in y and z. Those in x follow from the waves.
  Magnitude rows = 1, layers = 1;
  Magnitudes integers = {};

  static constexpr int32_t leastLogWaves = -6;
  static constexpr int32_t mostLogWaves = 10;

  friend auto operator<=>(const LaunchClass &, const LaunchClass &) = default;
};

/// `residentBlocks` is how many blocks of the original the whole device holds at
/// once, at least 1.
[[nodiscard]] LaunchClass classify(const LaunchShape &program, uint64_t residentBlocks,
                                   uint32_t alignment, const Magnitudes &integers = {});

/// "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=64:0", the last only where there
/// are any; fractions as "1/8", magnitudes by their least. What the database and files hold.
[[nodiscard]] std::string toString(const LaunchClass &launchClass);

/// Nothing where `text` is not what toString gives.
[[nodiscard]] std::optional<LaunchClass> parseLaunchClass(std::string_view text);

} // namespace regrain
