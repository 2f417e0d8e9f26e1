//===- Occupancy.cpp - Resident waves of a SIMD unit ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Occupancy.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regrain::amdgpu {

/// Returns the number of waves that a register file of `total` registers can hold if each uses
/// `used`.
static unsigned wavesBy(unsigned used, unsigned total, unsigned unit, unsigned most) {
  if (!used || !total)
    return most;
  return std::clamp<unsigned>(total / alignTo(used, unit), 1, most);
}

Multiprocessor multiprocessorOf(const Chip &chip) {
  unsigned slots = simdsPerUnit * chip.mostWaves;
  return {chip.waveSize, slots, slots, chip.localBytes, localUnit, 0};
}

void setOccupancy(const Chip &chip, unsigned threads, Resources &resources) {
  if (resources.registers < 0 || resources.scalarRegisters < 0 || !threads)
    return;
  unsigned waves = std::min(
      wavesBy(resources.registers, chip.vectorRegisters, chip.vectorUnit, chip.mostWaves),
      wavesBy(resources.scalarRegisters, chip.scalarRegisters, chip.scalarUnit, chip.mostWaves));
  unsigned perBlock = divideCeil(threads, chip.waveSize);
  if (resources.staticSharedBytes > 0) {
    unsigned blocks = residentBlocks(multiprocessorOf(chip), threads, resources.staticSharedBytes);
    waves = std::min<unsigned>(waves, divideCeil(blocks * perBlock, simdsPerUnit));
  }
  resources.waves = static_cast<int32_t>(waves);
  resources.occupancyThreads = static_cast<int32_t>(threads);
  resources.occupancyPercent = static_cast<int32_t>(100 * waves / chip.mostWaves);
}

} // namespace regrain::amdgpu
