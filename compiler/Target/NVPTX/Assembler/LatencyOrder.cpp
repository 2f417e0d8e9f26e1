//===- LatencyOrder.cpp - Code that waits less for its loads --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Assembler/LatencyOrder.h"

#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regrain::nvptx {

/// With fewer results, their order leaves little to choose.
static constexpr unsigned fewResults = 4;

bool isLarge(const KernelTimes &times) { return times.whole.instructions > 20000; }

static bool waits(const IssueTimes &part) { return part.results >= fewResults; }

static bool waitsInLoops(const KernelTimes &times) { return any_of(times.loops, waits); }

bool waitsForResults(const KernelTimes &times) {
  return !isLarge(times) && (waitsInLoops(times) || any_of(times.outerLoops, waits) ||
                             (times.loops.empty() && waits(times.whole)));
}

unsigned allocatedRegisters(int32_t registers) {
  return alignTo(unsigned(registers), registersOfThreadUnit);
}

/// Returns whether `part` is at most `percent` of the whole.
static bool isWithin(uint64_t part, uint64_t whole, unsigned percent) {
  return part * 100 <= whole * percent;
}

static bool haveSameLoops(const KernelTimes &one, const KernelTimes &other) {
  return one.loops.size() == other.loops.size() && one.outerLoops.size() == other.outerLoops.size();
}

static bool isNoSlower(const IssueTimes &candidate, const IssueTimes &original) {
  constexpr unsigned tolerance = 101; // percent
  return isWithin(candidate.near, original.near, tolerance) &&
         isWithin(candidate.far, original.far, tolerance);
}

/// Returns whether no instructions are added but those that a change of order may need.
static bool isNoLonger(const IssueTimes &candidate, const IssueTimes &original) {
  return isWithin(candidate.instructions, original.instructions, 102);
}

/// Returns whether a multiprocessor ends more iterations in the same time if data is near, and no
/// fewer if it is far: the warps that are resident, each in its time.
static bool endsMore(const IssueTimes &candidate, const IssueTimes &original, int32_t occupancy,
                     int32_t occupancyBefore) {
  constexpr unsigned clearly = 90; // percent
  return occupancy > 0 && occupancyBefore > 0 &&
         isWithin(candidate.near * occupancyBefore, original.near * occupancy, clearly) &&
         isWithin(candidate.far * occupancyBefore, original.far * occupancy, 100);
}

/// Returns whether the warps of a scheduler that are resident issue the part for longer than
/// `time`, in which one of them ends it: then it matters little how long that is.
static bool isBusy(const IssueTimes &part, uint64_t time, int32_t occupancy) {
  constexpr unsigned warpsOfScheduler = 12; // the fewest for which a chip has room
  return time * 100 <= uint64_t(part.instructions) * warpsOfScheduler * std::max(0, occupancy);
}

/// Returns whether a multiprocessor ends clearly more of what waits outside of innermost loops, if
/// data is far, and otherwise no fewer of any part, with the warps that are resident.
static bool endsMoreAroundLoops(const OrderedCode &candidate, const OrderedCode &original) {
  constexpr unsigned clearly = 80; // percent
  const KernelTimes &now = candidate.times, &before = original.times;
  auto ends = [&](uint64_t time, uint64_t timeBefore, unsigned percent) {
    return isWithin(time * original.occupancy, timeBefore * candidate.occupancy, percent);
  };
  auto endsNoFewer = [&](const IssueTimes &part, uint64_t time, uint64_t timeBefore) {
    return ends(time, timeBefore, 100) || isBusy(part, time, candidate.occupancy);
  };
  auto endsMoreIfFar = [&](const IssueTimes &own, const IssueTimes &other) {
    return !waits(other) ||
           (endsNoFewer(own, own.near, other.near) && ends(own.far, other.far, clearly));
  };
  if (candidate.occupancy <= 0 || original.occupancy <= 0)
    return false;
  if (before.loops.empty())
    return endsMoreIfFar(now.whole, before.whole);
  return all_of(zip_equal(now.loops, before.loops),
                [&](const auto &pair) {
                  const auto &[own, other] = pair;
                  return endsNoFewer(own, own.near, other.near) &&
                         endsNoFewer(own, own.far, other.far);
                }) &&
         all_of(zip_equal(now.outerLoops, before.outerLoops), [&](const auto &pair) {
           return endsMoreIfFar(std::get<0>(pair), std::get<1>(pair));
         });
}

/// Returns whether the candidate may be allocated more registers than the original.
static bool mayTakeMore(const OrderedCode &candidate, const OrderedCode &original) {
  unsigned allocated = allocatedRegisters(candidate.registers);
  if (allocated > registersOfLargestBlock)
    return false;
  if (!waitsInLoops(original.times))
    return endsMoreAroundLoops(candidate, original);
  return allocated <= allocatedRegisters(original.registers) + registersOfThreadUnit &&
         all_of(zip_equal(candidate.times.loops, original.times.loops), [&](const auto &pair) {
           const auto &[own, other] = pair;
           return !waits(other) || endsMore(own, other, candidate.occupancy, original.occupancy);
         });
}

Order compareOrders(const OrderedCode &candidate, const OrderedCode &original) {
  constexpr unsigned clearly = 97; // percent of the original's time
  const KernelTimes &now = candidate.times, &before = original.times;
  if (!haveSameLoops(now, before) || candidate.stackBytes > original.stackBytes ||
      candidate.spilledBytes > original.spilledBytes || !isNoSlower(now.whole, before.whole))
    return Order::NoBetter;
  bool isFasterSomewhere = false;
  auto isNowhereSlower = [&](ArrayRef<IssueTimes> parts, ArrayRef<IssueTimes> others) {
    return all_of(zip_equal(parts, others), [&](const auto &pair) {
      const auto &[own, other] = pair;
      isFasterSomewhere |=
          isWithin(own.near, other.near, clearly) || isWithin(own.far, other.far, clearly);
      return isNoSlower(own, other) && isNoLonger(own, other);
    });
  };
  bool isNoSlowerInLoops = before.loops.empty()
                               ? isNowhereSlower(now.whole, before.whole)
                               : isNowhereSlower(now.loops, before.loops) &&
                                     isNowhereSlower(now.outerLoops, before.outerLoops);
  if (!isNoSlowerInLoops || !isFasterSomewhere)
    return Order::NoBetter;
  bool isAsSmall =
      allocatedRegisters(candidate.registers) <= allocatedRegisters(original.registers);
  return isAsSmall || mayTakeMore(candidate, original) ? Order::Better : Order::TakesMore;
}

unsigned limitForResults(unsigned capability, const Resources &resources, unsigned threads,
                         const KernelTimes &times) {
  Resources limited = resources;
  limited.registers = int32_t(allocatedRegisters(resources.registers) + registersOfThreadUnit);
  int32_t occupancy = occupancyPercent(capability, limited, threads);
  if (waitsInLoops(times) || occupancy <= 0)
    return unsigned(limited.registers);
  while (limited.registers < int32_t(registersOfLargestBlock)) {
    limited.registers += registersOfThreadUnit;
    if (occupancyPercent(capability, limited, threads) < occupancy)
      return unsigned(limited.registers) - registersOfThreadUnit;
  }
  return unsigned(limited.registers);
}

unsigned limitForMoreWarps(unsigned capability, const Resources &resources, unsigned threads) {
  constexpr unsigned smallBlock = 128; // threads, which a block may have of those it is bound by
  Resources limited = resources;
  limited.registers = int32_t(allocatedRegisters(resources.registers));
  auto gains = [&](unsigned blockThreads) {
    int32_t occupancy = occupancyPercent(capability, resources, blockThreads);
    return occupancy > 0 && occupancyPercent(capability, limited, blockThreads) > occupancy;
  };
  limited.registers -= registersOfThreadUnit;
  if (limited.registers > 0 && (gains(threads) || gains(std::min(threads, smallBlock))))
    return unsigned(limited.registers);
  limited.registers -= registersOfThreadUnit;
  return limited.registers > 0 && gains(threads) ? unsigned(limited.registers) : 0;
}

/// Calls `check` with all of the code and each loop of the two kernels, which have as many loops.
static bool allParts(const OrderedCode &candidate, const OrderedCode &original,
                     function_ref<bool(const IssueTimes &, const IssueTimes &)> check) {
  return check(candidate.times.whole, original.times.whole) &&
         all_of(zip_equal(candidate.times.loops, original.times.loops),
                [&](const auto &pair) { return check(std::get<0>(pair), std::get<1>(pair)); });
}

/// Returns whether a warp takes little longer for each part, by no spills and next to no
/// instructions.
static bool costsLittle(const OrderedCode &candidate, const OrderedCode &original) {
  constexpr unsigned tolerance = 106; // percent
  constexpr unsigned padding = 8;     // code ends at a multiple of as many instructions
  const KernelTimes &now = candidate.times, &before = original.times;
  if (now.loops.size() != before.loops.size() || candidate.stackBytes > original.stackBytes ||
      candidate.spilledBytes > original.spilledBytes ||
      now.whole.instructions > before.whole.instructions * 102 / 100 + padding ||
      !all_of(zip_equal(now.loops, before.loops),
              [](const auto &pair) { return isNoLonger(std::get<0>(pair), std::get<1>(pair)); }))
    return false;
  return allParts(candidate, original, [](const IssueTimes &own, const IssueTimes &other) {
    return isWithin(own.near, other.near, tolerance) && isWithin(own.far, other.far, tolerance);
  });
}

/// Returns whether a multiprocessor ends more of each part with the warps that are resident.
static bool endsMoreParts(const OrderedCode &candidate, const OrderedCode &original) {
  constexpr unsigned clearly = 95; // percent
  auto gains = [&](uint64_t time, uint64_t timeBefore) {
    return isWithin(time * original.occupancy, timeBefore * candidate.occupancy, clearly);
  };
  return original.occupancy > 0 && candidate.occupancy > original.occupancy &&
         allParts(candidate, original, [&](const IssueTimes &own, const IssueTimes &other) {
           return gains(own.near, other.near) && gains(own.far, other.far);
         });
}

/// Returns whether the loops have no more instructions than before, and the warps that are resident
/// issue them for longer than one of them waits: then it matters little how long that is.
static bool isBusyInLoops(const OrderedCode &candidate, const OrderedCode &original) {
  const KernelTimes &now = candidate.times;
  return !now.loops.empty() && all_of(zip_equal(now.loops, original.times.loops), [&](auto pair) {
    const auto &[own, other] = pair;
    return own.instructions <= other.instructions && isBusy(own, own.far, candidate.occupancy);
  });
}

bool gainsWarps(const OrderedCode &candidate, const OrderedCode &original) {
  return allocatedRegisters(candidate.registers) < allocatedRegisters(original.registers) &&
         costsLittle(candidate, original) &&
         (endsMoreParts(candidate, original) || isBusyInLoops(candidate, original));
}

} // namespace regrain::nvptx
