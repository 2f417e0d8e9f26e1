//===- Races.h - Unsynchronised conflicting accesses ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each byte has its last writer and two readers. Every reported race is one;
// with three or more readers between two synchronisations, one may be missed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// The progress of a thread, and its knowledge of the lanes of its warp.
struct ThreadClock {
  uint64_t block = 0;                 ///< linear index in the grid
  uint32_t thread = 0;                ///< linear index in the block
  uint32_t interval = 0;              ///< number of barriers of the whole block passed
  uint32_t lanes = 32;                ///< of a warp, at most 64
  std::array<uint32_t, 64> seen = {}; ///< of each lane, itself included

  unsigned lane() const { return thread % lanes; }
  unsigned warp() const { return thread / lanes; }
};

class RaceDetector {
public:
  /// Threads of different blocks count as ordered unless `acrossBlocks`.
  explicit RaceDetector(bool acrossBlocks) : acrossBlocks(acrossBlocks) {}

  struct Access {
    uint64_t address = 0; ///< of the byte
    uint64_t region = 0, size = 0;
    bool shared = false; ///< each block has its own
    bool write = false, atomic = false;
    bool changes = false; ///< it writes a value that differs from the present one
  };

  /// Records an access of one byte; returns one clause if it conflicts with
  /// another.
  std::optional<std::string> record(const Access &access, const ThreadClock &clock);

private:
  struct Past {
    uint64_t block = 0;
    uint32_t thread = 0, interval = 0, clock = 0;
    bool atomic = false, any = false;
  };
  struct Cell {
    Past writer;
    std::array<Past, 2> readers;
  };

  bool ordered(const Past &past, const ThreadClock &clock) const;
  static std::string describe(const Access &access, const Past &past, bool pastWrote);

  bool acrossBlocks;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<Cell>> cells; ///< by block + 1 or 0, region
};

} // namespace regrain
