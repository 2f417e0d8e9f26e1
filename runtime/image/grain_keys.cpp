//===- grain_keys.cpp - The descriptors of the keys of SPEC ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/image/grain_key_groups.h"

#include "runtime/image/grain_forms.h"
#include "runtime/image/launch_limits.h"

namespace regrain {

bool exceeds(const Factors &size, const Factors &limits) {
  return size[0] > limits[0] || size[1] > limits[1] || size[2] > limits[2];
}

bool holdsTooMany(const Factors &block) {
  return exceeds(block, maxBlockSize) || product(block) > maxBlockThreads;
}

OrError<std::optional<Factors>> launchedBlock(const Grain &grain) {
  if (!grain.shape && !grain.known.block)
    return std::optional<Factors>();
  Factors launched;
  for (int d = 0; d < 3; ++d) {
    uint64_t size =
        grain.shape ? (*grain.shape)[d] : uint64_t((*grain.known.block)[d]) * grain.fuse[d];
    if (size % grain.thread[d] != 0)
      return tl::unexpected(std::string("thread.") + dimensionNames[d] + "=" +
                            std::to_string(grain.thread[d]) +
                            " does not divide the block, which has " + std::to_string(size));
    launched[d] = uint32_t(std::min<uint64_t>(size / grain.thread[d], maxBlockThreads + 1));
  }
  return std::optional(launched);
}

static std::vector<GrainKey> joinGroups() {
  std::vector<GrainKey> table;
  for (std::span<const GrainKey> group : {nestKeys(), memoryKeys(), codeKeys(), launchKeys()})
    table.insert(table.end(), group.begin(), group.end());
  return table;
}

std::span<const GrainKey> grainKeys() {
  static const std::vector<GrainKey> table = joinGroups();
  return table;
}

} // namespace regrain
