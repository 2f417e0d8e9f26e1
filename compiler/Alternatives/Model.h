//===- Model.h - A guess at the time of a grain -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says in which order grains are worth trying, before any code is generated; it
// decides nothing else. Cycles of a multiprocessor for one warp of the program:
//
//   max(issue, memory, traffic, launch) + barriers
//
//   issue     work per thread: every operation, with a weight, once for each
//             combination of the coordinates that it depends on; lanes of warps
//             that are not full are paid for, too.
//   memory    memory parallelism: accesses of global memory x latency, divided
//             by the warps that are resident and by the copies in each, whose
//             accesses are under way together.
//   traffic   sectors of 32 bytes that consecutive accesses take: as many as the
//             warp's lanes lie in runs along the dimension in which the addresses
//             are consecutive. Other accesses are passed over: no grain helps them.
//   launch    blocks start one after the other: with few threads in each, that is
//             the limit, and neither more work per thread nor its occupancy is.
//   barriers  x the time that a block waits, divided by the blocks resident.
//
// Occupancy enters by the warps and blocks that are resident: as many as shared
// memory, registers and threads allow. Registers are guessed: a base and the
// values held, once for each combination of the coordinates that they depend on.
// Shared arrays in global memory take none, and cost what they do in it: caches serve them.
// The limits are those of compute capability 9.0. The block is that of the
// launches that the source shows; what is not known of a launch is assumed
// (`assumedThreads`, `assumedTrips`).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "runtime/image/grain.h"

namespace regrain {

/// Threads of a block without launch bounds whose launch is not seen.
inline constexpr unsigned assumedThreads = 128;
/// Of a loop whose bounds are not constants.
inline constexpr double assumedTrips = 16;

/// Threads of a launched block at `grain`, as far as is known or assumed.
[[nodiscard]] unsigned launchedThreads(const Statistics &statistics, const Grain &grain);

/// Registers of a launched thread at `grain`, a guess.
[[nodiscard]] double guessRegisters(const Statistics &statistics, const Grain &grain);

/// By what more blocks a target holds at `grain` with static shared memory elsewhere, as far
/// as that memory and slots decide; the most of all targets, 1 where none gains.
[[nodiscard]] double gainWithoutShared(const Statistics &statistics, const Grain &grain);

/// Infinite where no block fits, and where the factors do not divide the block seen.
[[nodiscard]] double predictCycles(const Statistics &statistics, const Grain &grain);

} // namespace regrain
