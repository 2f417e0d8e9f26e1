//===- resident_blocks.cpp - Launches with fewer resident blocks ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// max-resident= changes what a launch asks for, and no code. So it applies to every grain that the
// image has, and to the original, whose attributes stay as the program has set them.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch_plan.h"
#include "runtime/image/launch_limits.h"

#include <algorithm>
#include <set>

namespace regrain {

/// Returns what such a launch has to ask for; nothing if it cannot keep the blocks down.
std::optional<Residency> LaunchPlan::findResidency(const Alternative &alternative, const Code &code,
                                                   const LaunchShape &shape) const {
  int blocks = 0;
  int threads = int(std::min<uint64_t>(product(shape.block), maxBlockThreads));
  if (code.function.maxActiveBlocks(threads, shape.dynamicSharedBytes, 0, blocks) != cudaSuccess)
    return std::nullopt;
  if (blocks <= int(alternative.maxResident))
    return Residency{shape.dynamicSharedBytes, std::nullopt};
  std::optional<SharedMemoryUnits> units = device.device->sharedMemoryUnits();
  if (!units)
    return std::nullopt;
  uint64_t most =
      code.isOriginals ? dynamicSharedLimit.load(std::memory_order_relaxed) : units->mostPerBlock;
  return limitResidency(*units,
                        {code.staticSharedBytes, shape.dynamicSharedBytes, most,
                         multipleOfSharedBytes(alternative.grain)},
                        alternative.maxResident);
}

/// Programs repeat their launches, so that the device is asked once for a few of them. What the
/// device answers changes with its settings.
std::optional<Residency> LaunchPlan::residencyOf(const Alternative &alternative, const Code &code,
                                                 const LaunchShape &shape) const {
  constexpr uint64_t none = 0, found = 1, withPercent = 2;
  uint64_t question[] = {device.occupancyChanges.load(std::memory_order_acquire),
                         alternative.maxResident, product(shape.block), shape.dynamicSharedBytes};
  uint64_t answer[3] = {};
  if (!code.residencies.find(question, answer)) {
    std::optional<Residency> residency = findResidency(alternative, code, shape);
    if (residency) {
      answer[0] = residency->sharedPercent ? withPercent : found;
      answer[1] = residency->dynamicBytes;
      answer[2] = residency->sharedPercent.value_or(0);
    }
    code.residencies.note(question, answer);
  }
  if (answer[0] == none)
    return std::nullopt;
  Residency residency = {answer[1], std::nullopt};
  if (answer[0] == withPercent)
    residency.sharedPercent = uint32_t(answer[2]);
  return residency;
}

/// Adds what may be worth trying in some class of launches of the original.
void LaunchPlan::addResidentSteps(uint32_t index, LoadedImage &loaded) {
  if (kernel.reads_shared_size() || hasClusters() || !device.device->sharedMemoryUnits())
    return;
  constexpr uint64_t mostBlocks = 32;
  std::set<uint64_t> all;
  for (uint64_t blocks = 1; blocks <= mostBlocks; ++blocks)
    for (uint64_t step : residentSteps(blocks))
      all.insert(step);
  for (uint64_t step : all)
    addAlternative(index, {0, uint32_t(step)}, loaded);
}

bool LaunchPlan::isWorthTrying(size_t candidate, const LaunchClass &launchClass) {
  uint64_t limit = alternatives[candidate]->maxResident;
  if (!limit)
    return true;
  uint64_t blocks = residentBlocks(launchClass.block, launchClass.dynamicSharedBytes) /
                    uint64_t(device.properties.multiProcessorCount);
  std::vector<uint64_t> steps = residentSteps(blocks);
  return std::find(steps.begin(), steps.end(), limit) != steps.end();
}

} // namespace regrain
