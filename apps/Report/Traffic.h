//===- Traffic.h - Bytes and operations of a block --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that the compiler has stored (runtime/image/footprint.h), evaluated for a block. What
// is touched is counted in sectors, the least that a GPU moves. Places whose distance is not known
// count as apart, and each begins at a sector; conditions count as if they held. So the touched
// bytes are an upper limit for one block; what blocks share is not seen. So are the operations,
// but for what functions compute that are called.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/footprint.h"

#include <map>
#include <optional>

namespace regrain::report {

inline constexpr unsigned sectorBytes = 32;

/// What the facts leave open.
struct LaunchSetting {
  std::array<uint32_t, 3> block = {256, 1, 1};
  uint64_t trips = 16;  ///< of each loop whose length is not known
  bool isGiven = false; ///< somebody has told the trips
  /// The trips that the launch tells, by the numbers of loops of unknown length.
  std::map<uint32_t, uint64_t> tripsOfLoops = {};
};

/// The accesses of a kernel to one memory that read, that write, or that do both.
struct Traffic {
  std::string memory;
  bool reads, writes;
  unsigned places;                 ///< in the kernel
  std::string perThread;           ///< bytes, as a sum over the loops of unknown length: "4 + 8*n1"
  uint64_t asked;                  ///< bytes, by a block
  std::optional<uint64_t> touched; ///< bytes, at most
};

/// Floating-point operations on numbers of one size, or calls of one function.
struct Arithmetic {
  unsigned bits; ///< of a number; 0: not known
  std::string function;
  bool isConditional;    ///< a part of them is under a condition
  std::string perThread; ///< a sum as above
  uint64_t ofBlock;
};

/// The traffic of a kernel's original, and its arithmetic if the image tells it.
struct KernelTraffic {
  std::string launch; ///< for which it is counted, as a SPEC; empty: for any
  LaunchSetting setting;
  std::vector<Traffic> memories;
  std::optional<std::vector<Arithmetic>> arithmetic = std::nullopt;
};

/// Returns the traffic for each memory, in the order of the code.
[[nodiscard]] std::vector<Traffic> trafficOf(const Footprint &footprint,
                                             const LaunchSetting &setting);

/// Returns the arithmetic, in the order of the code.
[[nodiscard]] std::vector<Arithmetic>
arithmeticOf(const std::vector<ArithmeticFootprint> &footprints, const LaunchSetting &setting);

/// Fills in what the integers of a launch, by their numbers, tell of loops, for the setting's
/// block.
void addTrips(const std::vector<FootprintTrips> &trips,
              const std::map<uint32_t, int64_t> &arguments, LaunchSetting &setting);

} // namespace regrain::report
