//===- Prune.cpp - Which compiled grains are not worth keeping ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Alternatives/Prune.h"

#include "runtime/image/in_step.h"
#include "runtime/image/max_resident.h"
#include "runtime/image/ring_form.h"
#include "runtime/image/slices.h"
#include "runtime/image/thread_split.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace regrain;

/// Returns the bytes stored and loaded by spills; a register is spilled as a whole.
static int64_t spilledBytes(const Resources &resources) {
  constexpr int64_t bytesOfRegister = 4;
  return std::max(0, resources.spillStoreBytes) + std::max(0, resources.spillLoadBytes) +
         2 * bytesOfRegister * std::max(0, resources.vectorSpills);
}

static bool countsSpills(const Resources &resources) {
  return resources.spillStoreBytes >= 0 || resources.vectorSpills >= 0;
}

/// Returns the number of the program's threads that one launched thread stands for.
static int64_t copiesOf(const Grain &grain) {
  int64_t copies = 1;
  for (unsigned d = 0; d < 3; ++d)
    copies *= int64_t(grain.block[d]) * grain.thread[d];
  return copies;
}

/// Returns the bytes that a launched thread may spill so that more threads are resident: with more,
/// each register would be stored and loaded once. 0 if the grain does not ask for that, or if it
/// takes no fewer registers.
static int64_t spillsForOccupancy(const Grain &grain, const Resources &candidate,
                                  const Resources &original) {
  bool isBounded = grain.codegen.contains("registers") || grain.codegen.contains("blocks-per-sm");
  constexpr int64_t bytesOfSpill = 8; // stored and loaded
  return isBounded && candidate.registers < original.registers
             ? bytesOfSpill * std::max(0, candidate.registers)
             : 0;
}

std::optional<std::string> regrain::findExcess(const Grain &grain, const Resources &candidate,
                                               const Resources &original) {
  int64_t spilled = spilledBytes(candidate), before = spilledBytes(original);
  int64_t allowed = before * copiesOf(grain) + spillsForOccupancy(grain, candidate, original);
  if (countsSpills(original) && spilled > allowed)
    return "more spills: " + std::to_string(spilled) +
           " bytes per launched thread, the original has " + std::to_string(before);
  if (candidate.scalarRegisters >= 0 && original.stackBytes >= 0 &&
      candidate.stackBytes > original.stackBytes * copiesOf(grain))
    return "more scratch memory: " + std::to_string(candidate.stackBytes) +
           " bytes per launched thread, the original has " + std::to_string(original.stackBytes);
  int32_t occupancy = candidate.occupancyPercent;
  bool isPaidBySpills = spilled < before;
  if (!isPaidBySpills && occupancy >= 0 && occupancy < collapsedOccupancyPercent &&
      2 * occupancy * copiesOf(grain) < original.occupancyPercent)
    return "low occupancy: " + std::to_string(occupancy) + "%, the original has " +
           std::to_string(original.occupancyPercent) + "%";
  return std::nullopt;
}

std::optional<std::string> regrain::findGrowth(uint64_t instructions, uint64_t original) {
  if (!original || instructions <= mostGrowth * original)
    return std::nullopt;
  return "code growth: " + std::to_string(instructions) + " instructions, the original has " +
         std::to_string(original);
}

/// Returns whether every launch that is as `inner` says is also as `outer` says.
static bool includesLaunches(const KnownLaunch &outer, const KnownLaunch &inner) {
  auto isSaid = [&](const auto &argument) {
    auto found = inner.arguments.find(argument.first);
    return found != inner.arguments.end() && found->second == argument.second;
  };
  auto isMultiple = [&](const auto &multiple) {
    auto [parameter, factor] = multiple;
    auto number = inner.arguments.find(parameter);
    if (number != inner.arguments.end())
      return number->second % int64_t(factor) == 0;
    auto found = inner.multiples.find(parameter);
    return found != inner.multiples.end() && found->second % factor == 0;
  };
  return (!outer.block || outer.block == inner.block) &&
         (!outer.grid || outer.grid == inner.grid) && llvm::all_of(outer.arguments, isSaid) &&
         llvm::all_of(outer.multiples, isMultiple) && outer.pointers <= inner.pointers &&
         outer.disjoint <= inner.disjoint;
}

/// Returns whether blocks with one thread where `outer` needs that have one where `inner` does.
static bool includesSlices(const Grain &outer, const Grain &inner) {
  return llvm::all_of(llvm::seq(0u, 3u),
                      [&](unsigned d) { return isSliced(outer, d) <= isSliced(inner, d); });
}

bool regrain::launchesAlike(const Grain &earlier, const Grain &grain) {
  return earlier.variant == grain.variant && maxResidentOf(earlier) == maxResidentOf(grain) &&
         earlier.block == grain.block && earlier.thread == grain.thread &&
         earlier.fuse == grain.fuse && earlier.shape == grain.shape &&
         lanesPerThread(earlier) == lanesPerThread(grain) && earlier.remainder == grain.remainder &&
         takesLentAddress(earlier) == takesLentAddress(grain) &&
         (inStepOf(earlier) != 0) == (inStepOf(grain) != 0) &&
         dynamicSharedOf(earlier) <= dynamicSharedOf(grain) &&
         (earlier.shared == SharedArrays::Common) == (grain.shared == SharedArrays::Common) &&
         (!earlier.bound || (grain.bound && grain.bound <= earlier.bound)) &&
         includesSlices(earlier, grain) && includesLaunches(earlier.known, grain.known);
}

std::optional<uint64_t> regrain::hashCode(const Target &target, llvm::ArrayRef<char> code,
                                          llvm::StringRef symbol) {
  llvm::Expected<std::string> own = target.codeOf(code, symbol);
  if (!own) {
    llvm::consumeError(own.takeError());
    return std::nullopt;
  }
  return own->empty() ? std::nullopt : std::optional(llvm::xxh3_64bits(*own));
}
