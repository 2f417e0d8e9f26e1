//===- Prune.h - Which compiled grains are not worth keeping ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All grains that are judged here are legal. The rules compare a candidate's code with the
// original's on the same target, using the figures that the back end reports; a figure that it does
// not report speaks for the candidate.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"
#include "runtime/image/grain.h"
#include "runtime/image/resources.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Below this share of the thread slots, warps alone no longer hide the latency of memory.
inline constexpr int32_t collapsedOccupancyPercent = 25;

/// Returns why the code of `grain` is worse than the original's, as one clause, or nothing if it is
/// not.
/// There are three rules:
/// - New spills: each thread of the program spills more bytes than in the original (a launched
///   thread that does the work of F threads may spill F times as much). A grain that bounds the
///   registers may spill each register that it leaves once if they are fewer than the original's:
///   that is the exchange that it is for.
/// - New scratch, on AMD: the same rule for scratch memory, which contains spills and local arrays
///   that could not be kept in registers.
/// - Occupancy collapse: the occupancy is below collapsedOccupancyPercent, and fewer than half as
///   many threads of the program run at a time as in the original (the copies in a launched thread
///   hide each other's latency as further threads would). The rule does not apply if the candidate
///   spills less than the original.
[[nodiscard]] std::optional<std::string> findExcess(const Grain &grain, const Resources &candidate,
                                                    const Resources &original);

/// The limit of findGrowth(), as a multiple of the original's instructions; docs/decisions/0023
/// gives the reason.
inline constexpr uint64_t mostGrowth = 2;

/// Returns why code that is not small is too large to be compiled completely, as one clause, or
/// nothing if it is not, or if the original's size is not known (0).
[[nodiscard]] std::optional<std::string> findGrowth(uint64_t instructions, uint64_t original);

/// Returns whether the runtime launches `earlier` in the same way, whenever it launches `grain`;
/// then `grain` is a duplicate if the code is the same. Which of its neighbours a thread runs is
/// only in the code.
[[nodiscard]] bool launchesAlike(const Grain &earlier, const Grain &grain);

/// Returns a hash of the code of the kernel `symbol`, which does not depend on the kernel's name
/// (Target::codeOf). Returns nothing if `code` has no such kernel.
[[nodiscard]] std::optional<uint64_t> hashCode(const Target &target, llvm::ArrayRef<char> code,
                                               llvm::StringRef symbol);

} // namespace regrain
