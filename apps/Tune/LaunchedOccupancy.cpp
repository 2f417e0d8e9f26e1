//===- LaunchedOccupancy.cpp - Occupancy of launched blocks ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/LaunchedOccupancy.h"

#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "runtime/core/launch_class.h"

#include <algorithm>
#include <optional>

namespace regrain::tune {
namespace {

/// Returns the launch of as many of the program's blocks as a launched one runs.
std::optional<LaunchShape> launchOf(const LaunchedCode &code) {
  std::optional<LaunchClass> known = parseLaunchClass(code.launchClass);
  if (!known || !code.grain.variant.empty())
    return std::nullopt;
  LaunchShape program = {{}, known->block, known->dynamicSharedBytes};
  for (size_t d = 0; d < program.grid.size(); ++d)
    program.grid[d] = code.grain.block[d] * code.grain.fuse[d];
  tl::expected<LaunchShape, Misfit> launched =
      scaleToGrain(program, code.grain, /*wholeWarps=*/false);
  return launched ? std::optional(*launched) : std::nullopt;
}

} // namespace

Resources ofLaunchedBlock(Resources figures, const LaunchedCode &code) {
  std::optional<LaunchShape> launched = launchOf(code);
  int32_t assumedThreads = figures.occupancyThreads, assumedPercent = figures.occupancyPercent;
  figures.occupancyThreads = figures.occupancyPercent = -1;
  if (!launched)
    return figures;
  auto threads = static_cast<uint32_t>(product(launched->block));
  figures.occupancyThreads = static_cast<int32_t>(threads);
  if (code.chip.empty()) {
    bool isAssumed = figures.occupancyThreads == assumedThreads && !launched->dynamicSharedBytes;
    figures.occupancyPercent = isAssumed ? assumedPercent : -1;
    return figures;
  }
  Resources all = figures;
  all.staticSharedBytes =
      std::max(0, figures.staticSharedBytes) + static_cast<int32_t>(launched->dynamicSharedBytes);
  figures.occupancyPercent = nvptx::occupancyPercent(nvptx::capabilityOf(code.chip), all, threads);
  return figures;
}

} // namespace regrain::tune
