//===- IssueTimes.h - How long a warp takes for machine code ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's GPUs issue the instructions of a warp in order. Each instruction of ptxas's code says
// how many cycles later the next one may follow, which of six scoreboards its result will release,
// and for which of them it waits. So the time that one warp takes alone can be computed from the
// code, but for the latencies of memory. It is computed for loads that find their data near, in
// the first cache, and far, in the second one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <optional>

namespace regrain::nvptx {

/// What one warp takes for instructions in a row, in cycles, with all branches untaken.
struct IssueTimes {
  unsigned instructions = 0;
  unsigned results = 0; ///< of instructions whose latency is not fixed
  uint64_t near = 0, far = 0;
};

struct KernelTimes {
  IssueTimes whole;                    ///< all of the code, once
  llvm::SmallVector<IssueTimes> loops; ///< an iteration of each loop that has no other inside
  /// An iteration of each loop that has others inside, which run once in it. `results` are those of
  /// its own instructions.
  llvm::SmallVector<IssueTimes> outerLoops = {};
};

/// Returns the times of a kernel's code for compute capability `capability` (90 for 9.0). Nothing
/// if the encoding of that capability is not known, or there is no whole number of instructions.
[[nodiscard]] std::optional<KernelTimes> issueTimes(llvm::ArrayRef<uint8_t> code,
                                                    unsigned capability);

/// Returns the times of each function of a cubin, by symbol, for which they are known; none if the
/// cubin has a form that is not known.
[[nodiscard]] llvm::StringMap<KernelTimes> issueTimesOf(llvm::ArrayRef<char> cubin,
                                                        unsigned capability);

} // namespace regrain::nvptx
