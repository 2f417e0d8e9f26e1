//===- footprint.h - What a kernel asks of global memory --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler tells these facts about the accesses and the arithmetic of a kernel's original, for
// `regrain inspect --footprint`. Addresses and counts justify nothing: integers are taken not to
// wrap. Which memory is read and written is proved, and the tuner relies on it (result_reads.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// A loop around an access or an operation.
struct FootprintLoop {
  uint32_t number = 0; ///< of the loops of unknown length in the kernel, from 1; 0: `trips` tells
  uint64_t trips = 0;
  bool varies = false; ///< each trip may access other memory, at a place that is not known
  friend bool operator==(const FootprintLoop &, const FootprintLoop &) = default;
};

/// A part of an address: (offset + thread coordinates * threads + trips * loops) * the unit, and
/// for each number in `sizes` the block's size in that dimension.
struct FootprintAxis {
  uint32_t unit = 0; ///< 0: bytes; others stand for values that are the same for all threads
  std::vector<uint8_t> sizes;
  int64_t offset = 0;
  std::array<int64_t, 3> threads = {};
  std::vector<int64_t> loops; ///< one factor for each loop around the access
};

/// The loads, stores or atomic operations of one place in the kernel.
struct AccessFootprint {
  std::string memory; ///< "parameter 0", a variable's symbol, or "other memory"
  bool reads = false, writes = false;
  uint32_t bytes = 0; ///< that one thread accesses; 0: not known
  std::string file;   ///< empty: not known
  uint32_t line = 0;
  bool isConditional = false;
  std::vector<FootprintLoop> loops; ///< the outermost first
  std::vector<FootprintAxis> axes;
  std::string unknown; ///< why the address is not known; empty if it is
};

/// Floating-point operations, or calls of a function that computes more, which run equally often.
struct ArithmeticFootprint {
  uint32_t bits = 0;       ///< of a number; 0: not known
  uint64_t operations = 0; ///< of a thread, in one trip of all loops; a fused multiply-add has two
  std::string function;    ///< `operations` are calls of it; empty: additions, products, quotients
  bool isConditional = false;
  std::vector<FootprintLoop> loops; ///< the outermost first

  /// Returns whether the operations can be counted together.
  [[nodiscard]] bool isSame(const ArithmeticFootprint &other) const {
    return bits == other.bits && function == other.function &&
           isConditional == other.isConditional && loops == other.loops;
  }
};

/// factor * the block's size in each of the dimensions * integers that the launch passes.
struct TripTerm {
  int64_t factor = 0;
  std::vector<uint8_t> sizes;
  std::vector<uint32_t> parameters; ///< by number
};

/// How often a loop of unknown length runs at most: the sum of `range` divided by `step`, rounded
/// up.
struct FootprintTrips {
  uint32_t loop = 0; ///< its number
  std::vector<TripTerm> range;
  TripTerm step;
};

struct Footprint {
  std::array<uint32_t, 3> block = {}; ///< of the launches in the source; 0: not known
  std::vector<AccessFootprint> accesses;
  std::optional<std::vector<ArithmeticFootprint>> arithmetic = {}; ///< older images lack it
  std::vector<FootprintTrips> trips = {}; ///< of the loops for which a launch tells them
};

} // namespace regrain
