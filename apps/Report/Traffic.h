//===- Traffic.h - Bytes that a block asks for and touches ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that the compiler has stored (runtime/image/footprint.h), evaluated for a block. What
// is touched is counted in sectors, the least that a GPU moves. Places whose distance is not known
// count as apart, and each begins at a sector; conditions count as if they held. So the touched
// bytes are an upper limit for one block; what blocks share is not seen.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/footprint.h"

#include <optional>

namespace regrain::report {

inline constexpr unsigned sectorBytes = 32;

/// What the facts leave open.
struct LaunchSetting {
  std::array<uint32_t, 3> block = {256, 1, 1};
  uint64_t trips = 16; ///< of each loop whose length is not known
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

/// The traffic of a kernel's original.
struct KernelTraffic {
  LaunchSetting setting;
  std::vector<Traffic> memories;
};

/// Returns the traffic for each memory, in the order of the code.
[[nodiscard]] std::vector<Traffic> trafficOf(const Footprint &footprint,
                                             const LaunchSetting &setting);

} // namespace regrain::report
