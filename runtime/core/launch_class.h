//===- launch_class.h - Launches that are tuned together --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class is what a choice among alternatives depends on in a launch, in buckets: a
// program that shrinks its grid with every step has thousands of launches and a
// handful of classes.
//
// Floating-point arguments and the contents of memory are omitted: they determine values,
// and if they determine the work, too, the watch over the choices notices (watch.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/image/integers.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace regrain {

/// The magnitude of an integer: its classes are 0, 1, 2 to 3, 4 to 15, 16 to 63, and so on by
/// powers of four, counted from 0; negative integers have negative ones. Small numbers select
/// paths, large ones are sizes.
using Magnitude = int8_t;

[[nodiscard]] Magnitude magnitudeOf(int64_t value);

/// Returns the integer nearest to 0 of that magnitude.
[[nodiscard]] int64_t leastOf(Magnitude magnitude);

/// The magnitudes of the integers that a launch passes, in the order of
/// image::Kernel::integers.
struct Magnitudes {
  uint8_t count = 0;
  std::array<Magnitude, mostIntegers> of = {}; ///< 0 from `count` on
  friend bool operator==(const Magnitudes &, const Magnitudes &) = default;
  /// Those that are equal, as most that are compared, are compared at once.
  friend std::strong_ordering operator<=>(const Magnitudes &left, const Magnitudes &right) {
    if (left == right)
      return std::strong_ordering::equal;
    return std::tie(left.count, left.of) <=> std::tie(right.count, right.of);
  }
};

/// Reads the first mostIntegers of `integers` from a launch's arguments, as signed integers.
[[nodiscard]] Magnitudes readMagnitudes(std::span<const image::IntegerArgument> integers,
                                        void *const *arguments);

struct LaunchClass {
  Extent block;                ///< threads per block, as launched by the program
  uint64_t dynamicSharedBytes; ///< in bytes, per block
  /// The alignment in bytes that all pointer arguments have: a power of two up
  /// to 16.
  uint32_t alignment;
  /// The grid fills the device more than 2^(logWaves-1) and at most 2^logWaves
  /// times. The value is clamped to leastLogWaves and mostLogWaves, which also
  /// cover everything beyond.
  int32_t logWaves;
  /// The shape of the grid: its blocks in y and z. Those in x follow from the
  /// waves.
  Magnitude rows = 1, layers = 1;
  Magnitudes integers = {};
  Extent cluster = {1, 1, 1}; ///< the blocks of a cluster

  static constexpr int32_t leastLogWaves = -6;
  static constexpr int32_t mostLogWaves = 10;

  friend auto operator<=>(const LaunchClass &, const LaunchClass &) = default;
};

/// `residentBlocks` is the number of blocks of the original that the whole
/// device holds at once, at least 1.
[[nodiscard]] LaunchClass classify(const LaunchShape &program, uint64_t residentBlocks,
                                   uint32_t alignment, const Magnitudes &integers = {});

/// Returns the form that the database and files store:
/// "block=256x1x1,shared=0,align=16,waves=4,grid=*x1x1,integers=64:0,cluster=8x1x1". The last two
/// fields are present only if there are integers, and clusters of several blocks; fractions are
/// written as "1/8", magnitudes as their least integer.
[[nodiscard]] std::string toString(const LaunchClass &launchClass);

/// Parses the result of toString; returns nothing for any other text.
[[nodiscard]] std::optional<LaunchClass> parseLaunchClass(std::string_view text);

} // namespace regrain
