//===- launch_class.cpp - Launches that are tuned together ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_class.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace regrain {

/// The least power of two, in steps of one half from below 1, that `blocks` are at
/// most of `resident`.
static int32_t logWavesOf(uint64_t blocks, uint64_t resident) {
  int32_t log = LaunchClass::leastLogWaves;
  while (log < LaunchClass::mostLogWaves) {
    bool fits = log < 0 ? blocks <= (resident >> -log) : blocks <= (resident << log);
    if (fits)
      break;
    ++log;
  }
  return log;
}

LaunchClass classify(const LaunchShape &program, uint64_t residentBlocks, uint32_t alignment) {
  return {program.block, program.dynamicSharedBytes, alignment,
          logWavesOf(product(program.grid), std::max<uint64_t>(residentBlocks, 1))};
}

std::string toString(const LaunchClass &launchClass) {
  const auto &[x, y, z] = launchClass.block;
  int32_t log = launchClass.logWaves;
  char text[160];
  std::snprintf(text, sizeof text, "block=%ux%ux%u,shared=%" PRIu64 ",align=%u,waves=%s%d", x, y, z,
                launchClass.dynamicSharedBytes, launchClass.alignment, log < 0 ? "1/" : "",
                1 << (log < 0 ? -log : log));
  return text;
}

std::optional<LaunchClass> parseLaunchClass(std::string_view text) {
  LaunchClass parsed = {};
  auto &[x, y, z] = parsed.block;
  std::string whole(text);
  for (int32_t log = LaunchClass::leastLogWaves; log <= LaunchClass::mostLogWaves; ++log) {
    parsed.logWaves = log;
    int fields = std::sscanf(whole.c_str(), "block=%ux%ux%u,shared=%" SCNu64 ",align=%u,", &x, &y,
                             &z, &parsed.dynamicSharedBytes, &parsed.alignment);
    if (fields == 5 && toString(parsed) == text)
      return parsed;
  }
  return std::nullopt;
}

} // namespace regrain
