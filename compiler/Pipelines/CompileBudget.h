//===- CompileBudget.h - How much code alternatives have --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The alternatives of a kernel share a number of instructions that they may compile completely on a
// target (docs/decisions/0023). Grains ask in the order of the plan, whichever thread is faster, so
// the same grains are dropped in every build.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace regrain {

/// The size that an alternative may have on average, if the original is smaller: this part of the
/// code that a target compiles in seconds (Target::smallCode). It is less in a file with so many
/// kernels that they share all of that code, for twelve alternatives each.
inline constexpr uint64_t averagePart = 50, sharedPart = 12;

/// The budget of one kernel on one target. Several threads may use it at once.
class CompileBudget {
public:
  /// The budget for `wanted` alternatives of one of `kernels` kernels, on a target whose small code
  /// has `smallCode` instructions. The first that asks is the grain with the index `firstGrain` in
  /// the plan.
  CompileBudget(unsigned firstGrain, unsigned wanted, uint64_t smallCode, uint64_t kernels)
      : next(firstGrain), wanted(wanted), smallCode(smallCode),
        least(smallCode / std::max(averagePart, sharedPart * kernels)) {}

  /// Waits until all grains before `grain` have asked or ended. Takes `instructions` from the
  /// budget if so many are left, and if the code is small or has not grown too much. Otherwise
  /// returns why not, as one clause, and takes half of them, because LLVM has compiled the code up
  /// to this stage. `originalSize` returns the original's instructions, 0 if they are not known; it
  /// is called only if they matter, and may wait.
  [[nodiscard]] std::optional<std::string> admit(unsigned grain, uint64_t instructions,
                                                 const std::function<uint64_t()> &originalSize);

  /// Returns why the code of no further grain is admitted, as admit() would, or nothing if it may
  /// be. Does not wait for other grains.
  [[nodiscard]] std::optional<std::string> findSpent();

  /// Notes that a grain does not ask any more. Each grain from `firstGrain` on must end.
  void end(unsigned grain);

private:
  std::optional<std::string> describeSpent() const;
  std::optional<std::string> findExcess(uint64_t instructions,
                                        const std::function<uint64_t()> &originalSize);
  void pass(unsigned grain);

  std::mutex mutex;
  std::condition_variable passed;
  std::set<unsigned> early; ///< grains that have asked or ended before their turn
  unsigned next;            ///< all grains before it have asked or ended
  unsigned wanted;
  uint64_t smallCode;
  uint64_t least; ///< average size that an alternative may have in any case
  uint64_t taken = 0;
  uint64_t limit = 0; ///< 0 until the original's size matters
};

} // namespace regrain
