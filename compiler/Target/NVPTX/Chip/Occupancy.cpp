//===- Occupancy.cpp - Resident threads of a multiprocessor ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Chip/Occupancy.h"

#include "runtime/image/launch_limits.h"
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

/// CUDA C++ Programming Guide 13.0, "Compute Capabilities", table "Technical Specifications per
/// Compute Capability". Each multiprocessor has 65536 registers.
static constexpr Limits limitsTable[] = {
    {50, 2048, 32, 64 << 10},   {52, 2048, 32, 96 << 10},   {53, 2048, 32, 64 << 10},
    {60, 2048, 32, 64 << 10},   {61, 2048, 32, 96 << 10},   {62, 2048, 32, 64 << 10},
    {70, 2048, 32, 96 << 10},   {72, 2048, 32, 96 << 10},   {75, 1024, 16, 64 << 10},
    {80, 2048, 32, 164 << 10},  {86, 1536, 16, 100 << 10},  {87, 1536, 16, 164 << 10},
    {89, 1536, 24, 100 << 10},  {90, 2048, 32, 228 << 10},  {100, 2048, 32, 228 << 10},
    {103, 2048, 32, 228 << 10}, {110, 1536, 24, 228 << 10}, {120, 1536, 24, 100 << 10},
    {121, 1536, 24, 100 << 10},
};

static constexpr unsigned registersPerMultiprocessor = 65536;
/// A warp is allocated registers in units of this many, and warps are allocated in fours.
static constexpr unsigned registerUnit = registersOfThreadUnit * warpThreads;
static constexpr unsigned warpUnit = 4;

unsigned capabilityOf(llvm::StringRef arch) {
  unsigned capability = 0;
  arch.consume_front("sm_");
  arch.consumeInteger(10, capability);
  return capability;
}

/// From 8.0 on the system uses 1 KiB of each block's shared memory.
std::optional<Multiprocessor> multiprocessorOf(unsigned arch) {
  const Limits *limits = std::find_if(std::begin(limitsTable), std::end(limitsTable),
                                      [&](const Limits &row) { return row.arch == arch; });
  if (limits == std::end(limitsTable))
    return std::nullopt;
  uint64_t unit = 256, ofSystem = 0; // bytes
  if (arch >= 80) {
    unit = 128;
    ofSystem = 1024;
  }
  return Multiprocessor{.waveThreads = warpThreads,
                        .slots = limits->threads / warpThreads,
                        .blocks = limits->blocks,
                        .sharedBytes = limits->sharedBytes,
                        .sharedUnit = unit,
                        .sharedOfSystem = ofSystem,
                        .registers = registersPerMultiprocessor,
                        .registerUnit = registerUnit,
                        .slotUnit = warpUnit};
}

int32_t occupancyPercent(unsigned arch, const Resources &resources, unsigned threads) {
  std::optional<Multiprocessor> multiprocessor = multiprocessorOf(arch);
  if (!multiprocessor || resources.registers < 0 || threads == 0)
    return -1;
  uint64_t shared = std::max(0, resources.staticSharedBytes);
  unsigned registers = std::max(1, resources.registers);
  unsigned blocks = residentBlocks(*multiprocessor, threads, shared, registers);
  unsigned warps = (threads + warpThreads - 1) / warpThreads;
  return static_cast<int32_t>(100u * blocks * warps / multiprocessor->slots);
}

} // namespace regrain::nvptx
