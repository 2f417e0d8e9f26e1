//===- Occupancy.cpp - Resident threads of a multiprocessor ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Occupancy.h"

#include <algorithm>
#include <iterator>

namespace regrain::nvptx {

namespace {
struct Limits {
  unsigned arch;
  unsigned threads;     ///< per multiprocessor
  unsigned blocks;      ///< per multiprocessor
  unsigned sharedBytes; ///< per multiprocessor
};
} // namespace

/// CUDA C++ Programming Guide 13.0, "Compute Capabilities", table "Technical
/// Specifications per Compute Capability". Each has 65536 registers.
static constexpr Limits limitsTable[] = {
    {50, 2048, 32, 64 << 10},   {52, 2048, 32, 96 << 10},   {53, 2048, 32, 64 << 10},
    {60, 2048, 32, 64 << 10},   {61, 2048, 32, 96 << 10},   {62, 2048, 32, 64 << 10},
    {70, 2048, 32, 96 << 10},   {72, 2048, 32, 96 << 10},   {75, 1024, 16, 64 << 10},
    {80, 2048, 32, 164 << 10},  {86, 1536, 16, 100 << 10},  {87, 1536, 16, 164 << 10},
    {89, 1536, 24, 100 << 10},  {90, 2048, 32, 228 << 10},  {100, 2048, 32, 228 << 10},
    {103, 2048, 32, 228 << 10}, {110, 1536, 24, 228 << 10}, {120, 1536, 24, 100 << 10},
    {121, 1536, 24, 100 << 10},
};

static constexpr unsigned warpThreads = 32;
static constexpr unsigned registersPerMultiprocessor = 65536;
/// Registers are given to a warp in units of this many, and warps in fours.
static constexpr unsigned registerUnit = 256;
static constexpr unsigned warpUnit = 4;

static unsigned roundUp(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

/// Shared memory is given out in units; from 8.0 on the system takes 1 KiB of
/// each block.
static unsigned sharedBytesPerBlock(unsigned arch, unsigned bytes) {
  return arch >= 80 ? roundUp(bytes + 1024, 128) : roundUp(bytes, 256);
}

int32_t occupancyPercent(unsigned arch, const Resources &resources, unsigned threads) {
  const Limits *limits = std::find_if(std::begin(limitsTable), std::end(limitsTable),
                                      [&](const Limits &row) { return row.arch == arch; });
  if (limits == std::end(limitsTable) || resources.registers < 0 || threads == 0)
    return -1;
  unsigned warps = (threads + warpThreads - 1) / warpThreads;
  unsigned blocks = std::min(limits->blocks, limits->threads / (warps * warpThreads));
  if (resources.registers > 0) {
    unsigned perWarp = roundUp(resources.registers * warpThreads, registerUnit);
    unsigned residentWarps = registersPerMultiprocessor / perWarp / warpUnit * warpUnit;
    blocks = std::min(blocks, residentWarps / warps);
  }
  if (unsigned shared = sharedBytesPerBlock(arch, std::max(0, resources.staticSharedBytes)))
    blocks = std::min(blocks, limits->sharedBytes / shared);
  return static_cast<int32_t>(100u * blocks * warps * warpThreads / limits->threads);
}

} // namespace regrain::nvptx
