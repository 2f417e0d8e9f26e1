//===- Prune.h - Which compiled grains are not worth keeping ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is judged here is legal. The rules compare a candidate's code with the
// original's on the same target, from the figures that the back end reports; a
// figure that it does not report speaks for the candidate.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"
#include "runtime/image/resources.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Below this share of the thread slots warps alone no longer hide the latency
/// of memory.
inline constexpr int32_t collapsedOccupancyPercent = 25;

/// Why the code of `grain` is worse than the original's, as one clause; empty
/// where it is not. Three rules:
///   - new spills: more bytes spilled for each thread of the program than the
///     original spills (a launched thread that does the work of F may spill F
///     times as much);
///   - new scratch, on AMD: the same of scratch memory, where spills lie beside local
///     arrays that could not be kept in registers;
///   - occupancy collapse: under collapsedOccupancyPercent, and under half as many
///     threads of the program at a time as the original runs (the copies in a
///     launched thread hide each other's latency as further threads would), unless
///     the registers that it costs keep what the original spills.
[[nodiscard]] std::string findExcess(const Grain &grain, const Resources &candidate,
                                     const Resources &original);

/// Times the original's instructions; docs/decisions/0023.
inline constexpr uint64_t mostGrowth = 2;

/// Why code that is not small is too large to be compiled to its end, as one clause;
/// empty where it is not, and where the original's size is not known (0).
[[nodiscard]] std::string findGrowth(uint64_t instructions, uint64_t original);

/// Whether the runtime launches `grain` as it launches `earlier`, wherever it
/// launches `grain`: with the same code it is then a duplicate. Which of its
/// neighbours a thread runs is in the code alone.
[[nodiscard]] bool launchesAlike(const Grain &earlier, const Grain &grain);

/// A hash of the machine code of the kernel `symbol`, whose name does not enter
/// it: of its section in a cubin, its entry in PTX, the code and the descriptor in
/// an AMD object, everything that is loaded of another object file. Nothing where `code` has no such kernel.
[[nodiscard]] std::optional<uint64_t> hashCode(llvm::ArrayRef<char> code, llvm::StringRef symbol);

} // namespace regrain
