//===- Model.cpp - Prediction of a grain's time ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Model.h"
#include "runtime/image/launch_limits.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace regrain;

namespace {

/// Limits of one multiprocessor of compute capability 9.0 (CUDA C++ Programming Guide, "Compute
/// Capabilities"): warps, blocks and schedulers; registers of the multiprocessor and of a thread;
/// bytes of shared memory of the multiprocessor, and those that the system takes of it for each
/// block.
constexpr unsigned mostWarps = 64, mostBlocks = 32, schedulers = 4;
constexpr unsigned registerFile = 65536, mostRegisters = 255;
constexpr uint64_t sharedMemory = 228 << 10, sharedOfSystem = 1 << 10;

/// Issue slots of one operation of each kind of work: the cycles for which a warp occupies its
/// scheduler. A memory access takes the load-store unit, which has a quarter as many lanes.
constexpr double weights[workKinds] = {1, 4, 4, 2, 4};
/// Cycles from a memory access to its value, and that a block waits at a barrier.
constexpr double memoryLatency = 500, barrierLatency = 40;
/// Registers of a thread that holds no value of the kernel.
constexpr unsigned baseRegisters = 16;
/// Cycles for one sector and for the start of one block: the share of one multiprocessor in the L2
/// cache's bandwidth, and in the rate at which the GPU starts blocks.
constexpr double sectorCycles = 0.5, blockCycles = 100;
/// Neighbours that share a sector, for elements of four bytes.
constexpr unsigned sectorElements = 8;

double product(const Factors &factors) { return double(factors[0]) * factors[1] * factors[2]; }

/// Returns how often one launched thread runs an operation that depends on the coordinates `mask`.
double timesDone(uint8_t mask, const Grain &grain) {
  double times = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (mask & (uint8_t(Dependence::BlockX) << d))
      times *= grain.block[d];
    if (mask & (uint8_t(Dependence::ThreadX) << d))
      times *= grain.thread[d];
  }
  return times;
}

/// Returns the work of one launched thread.
double workOf(const Statistics &statistics, const Grain &grain, Work kind) {
  double sum = 0;
  for (const auto &[mask, counts] : statistics.work)
    sum += timesDone(mask, grain) * counts[unsigned(kind)].at(assumedTrips);
  return sum;
}

/// Returns the static shared memory of a launched block whose arrays lie there.
uint64_t sharedBytesOf(const Statistics &statistics, const Grain &grain) {
  double copies = grain.shared == SharedArrays::Common ? 1 : product(grain.block);
  return statistics.sharedBytes * uint64_t(copies * product(grain.fuse));
}

/// Returns whether the compiler knows the size of a launched block, which then fits, or the block is
/// the program's, which is launched without the grain as well.
bool isHeldAtLeast(const Grain &grain) {
  return grain.known.block || grain.bound ||
         product(grain.block) * product(grain.thread) * product(grain.fuse) == 1;
}

unsigned blocksHeld(const Statistics &statistics, const Grain &grain, unsigned warps) {
  double registers = std::min<double>(guessRegisters(statistics, grain), mostRegisters);
  if (isHeldAtLeast(grain))
    registers = std::min<double>(registers, registerFile / (warps * warpThreads));
  uint64_t shared = grain.takesLentMemory() ? 0 : sharedBytesOf(statistics, grain);
  unsigned blocks = std::min(mostBlocks, mostWarps / warps);
  blocks = std::min(blocks, unsigned(registerFile / (registers * warps * warpThreads)));
  return std::min<uint64_t>(blocks, sharedMemory / (shared + sharedOfSystem));
}

/// Returns the block whose threads are coarsened; nothing if it is not known.
std::optional<Factors> blockBefore(const Statistics &statistics, const Grain &grain) {
  if (grain.shape || !statistics.seenBlock)
    return grain.shape;
  Factors block = *statistics.seenBlock;
  for (unsigned d = 0; d < 3; ++d)
    block[d] *= grain.fuse[d];
  return block;
}

bool dividesBlock(const Statistics &statistics, const Grain &grain) {
  std::optional<Factors> block = blockBefore(statistics, grain);
  for (unsigned d = 0; block && d < 3; ++d)
    if ((*block)[d] % grain.thread[d])
      return false;
  return true;
}

/// Returns the number of consecutive lanes of a warp in a dimension, up to a sector; a full run if
/// the block is not known.
unsigned lanesInRun(const Statistics &statistics, const Grain &grain, unsigned dimension) {
  std::optional<Factors> block = blockBefore(statistics, grain);
  if (!block)
    return sectorElements;
  unsigned left = warpThreads;
  for (unsigned d = 0; d < dimension; ++d)
    left = std::max(1u, left / ((*block)[d] / grain.thread[d]));
  unsigned run = std::min(left, (*block)[dimension] / grain.thread[dimension]);
  if (grain.contiguous && dimension == 0)
    run *= grain.thread[0];
  return std::min(run, sectorElements);
}

/// Returns the sectors that the consecutive accesses of one warp of the program take.
double sectorsOf(const Statistics &statistics, const Grain &grain) {
  double copies = product(grain.block) * product(grain.thread), sectors = 0;
  for (const auto &[mask, counts] : statistics.consecutive)
    for (unsigned d = 0; d < 3; ++d)
      sectors += counts[d].at(assumedTrips) * timesDone(mask, grain) / copies * warpThreads /
                 lanesInRun(statistics, grain, d);
  return sectors;
}

} // namespace

unsigned regrain::launchedThreads(const Statistics &statistics, const Grain &grain) {
  double threads = statistics.mostThreads ? statistics.mostThreads : assumedThreads;
  std::optional<Factors> block = blockBefore(statistics, grain);
  threads = block ? product(*block) : threads * product(grain.fuse);
  return std::max(1u, unsigned(threads / product(grain.thread)));
}

double regrain::guessRegisters(const Statistics &statistics, const Grain &grain) {
  double registers = baseRegisters;
  for (const auto &[mask, count] : statistics.held)
    registers += timesDone(mask, grain) * count;
  return registers;
}

double regrain::gainWithoutShared(const Statistics &statistics, const Grain &grain) {
  double gain = 1;
  unsigned threads = launchedThreads(statistics, grain);
  uint64_t bytes = sharedBytesOf(statistics, grain);
  for (const Multiprocessor &multiprocessor : statistics.multiprocessors) {
    double blocks = residentBlocks(multiprocessor, threads, 0);
    gain = std::max(gain, blocks / std::max(1u, residentBlocks(multiprocessor, threads, bytes)));
  }
  return gain;
}

double regrain::predictCycles(const Statistics &statistics, const Grain &grain) {
  unsigned threads = launchedThreads(statistics, grain);
  if (threads > maxBlockThreads || !dividesBlock(statistics, grain))
    return std::numeric_limits<double>::infinity();
  unsigned warps = llvm::divideCeil(threads, warpThreads);
  unsigned blocks = blocksHeld(statistics, grain, warps);
  if (!blocks)
    return std::numeric_limits<double>::infinity();
  double copies = product(grain.block) * product(grain.thread);
  double laneWaste = double(warps * warpThreads) / threads;
  double issue = 0;
  for (unsigned kind = 0; kind < workKinds; ++kind)
    issue += weights[kind] * workOf(statistics, grain, Work(kind));
  issue *= laneWaste / (copies * schedulers);
  double accesses = workOf(statistics, grain, Work::Global) / copies;
  double memory = accesses * memoryLatency * laneWaste / (double(blocks) * warps * copies);
  double traffic = sectorsOf(statistics, grain) * sectorCycles;
  double launch = blockCycles * warpThreads / (threads * copies);
  double barriers = workOf(statistics, grain, Work::Barrier) / (copies * product(grain.fuse));
  return std::max({issue, memory, traffic, launch}) + barriers * barrierLatency / blocks;
}
