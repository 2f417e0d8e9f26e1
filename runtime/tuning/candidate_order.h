//===- candidate_order.h - Which candidates are tried first -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image lists alternatives in the order in which the compiler's model expects gains. The model
// knows neither the registers of the code nor what another compiler makes of the kernel. The
// figures of the loaded code correct its order where that decides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/tuning.h"

#include <span>
#include <vector>

namespace regrain {

/// Below this occupancy, resident warps hide too little latency, and code with fewer registers is
/// the first that may help.
inline constexpr double lowOccupancy = 0.5;

/// The most that a multiprocessor of today's GPUs caches, in bytes. Where its threads keep more
/// local memory, they evict each other's.
inline constexpr uint64_t largestCache = 256 << 10;

struct RankedCode {
  Grain grain;
  CodeFigures figures;
};

/// Returns the indices of `candidates` in the order in which to try them. Otherwise in the order of
/// the image,
/// - first come the code of another compiler, if the occupancy of the original is low, code whose
///   registers are limited and whose occupancy is higher, and, if threads evict each other's local
///   memory, the original with fewer resident blocks;
/// - later comes code that keeps more local memory for a thread of the program than the original
///   does, or with which less than half as many threads of the program are resident;
/// - otherwise the original with fewer resident blocks comes behind, because it helps few kernels;
/// - the control comes last: it is there to be compared with.
[[nodiscard]] std::vector<size_t> rankCandidates(std::span<const RankedCode> candidates,
                                                 const CodeFigures &original);

} // namespace regrain
