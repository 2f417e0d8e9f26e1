//===- Model.h - Prediction of a grain's time -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Predicts in which order grains are worth trying, before any code is generated; it decides nothing
// else. The prediction is the cycles of a multiprocessor for one warp of the program:
//
//   max(issue, memory, traffic, launch) + barriers
//
//   issue     work per thread: every operation, with a weight, once for each
//             combination of the coordinates that it depends on. Idle lanes of
//             partial warps count, too.
//   memory    memory parallelism: accesses to global memory x latency, divided
//             by the number of resident warps and by the copies in each, whose
//             accesses are in flight together.
//   traffic   sectors of 32 bytes that consecutive accesses take: it depends on how
//             many lanes of the warp lie side by side in the dimension in which the
//             addresses are consecutive. Other accesses are ignored, because no grain
//             changes their cost.
//   launch    blocks start one after the other: with few threads per block, this is
//             the limit, and neither work per thread nor occupancy matters.
//   barriers  x the time that a block waits, divided by the number of resident blocks.
//
// Occupancy enters by the number of resident warps and blocks, which shared memory, registers and
// threads limit. Registers are estimated: a base, and the live values, once for each combination of
// the coordinates that they depend on. Shared arrays in global memory take no shared memory, and
// their accesses cost the same, because caches serve them. The limits are those of compute
// capability 9.0. The block is that of the launches that the source shows; for what is not known of
// a launch, `assumedThreads` and `assumedTrips` are used.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "runtime/image/grain.h"

namespace regrain {

/// Threads of a block without launch bounds whose launches the source does not show.
inline constexpr unsigned assumedThreads = 128;
/// Trips of a loop whose bounds are not constants.
inline constexpr double assumedTrips = 16;

/// Returns the threads of a launched block at `grain`, as far as they are known or assumed.
[[nodiscard]] unsigned launchedThreads(const Statistics &statistics, const Grain &grain);

/// Returns an estimate of the registers of a launched thread at `grain`.
[[nodiscard]] double guessRegisters(const Statistics &statistics, const Grain &grain);

/// Returns by which factor the number of resident blocks grows at `grain` if static shared memory
/// moves elsewhere, as far as that memory and block slots limit it: the maximum of all targets, 1
/// if none gains.
[[nodiscard]] double gainWithoutShared(const Statistics &statistics, const Grain &grain);

/// Returns the predicted cycles: infinite if no block fits, or if the factors do not divide the
/// block seen.
[[nodiscard]] double predictCycles(const Statistics &statistics, const Grain &grain);

} // namespace regrain
