//===- LaunchWait.h - How a random kernel begins early ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some kernels wait for the launch in front of them, and let the one behind begin. All threads of a
// grain wait then, in front of all accesses, and give no hint earlier if the source may give one
// behind its wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"

namespace regrain::fuzz {

struct LaunchWait {
  bool isAsked = false;
  bool isBehindGuard = false; ///< of the whole kernel, at which threads may end
  // Where hints to the launch behind stand.
  bool hintsInFront = false, hintsBehind = false, hintsInBranch = false, hintsAtEnd = false;

  [[nodiscard]] bool mayHintBehind() const { return hintsBehind || hintsInBranch || hintsAtEnd; }
};

/// Returns how the kernel begins, which its seed alone decides.
inline LaunchWait launchWaitOf(const Kernel &kernel) {
  constexpr uint64_t every = 8;
  if (kernel.seed % every != every / 2)
    return {};
  uint64_t form = kernel.seed / every % 8;
  return {.isAsked = true,
          .isBehindGuard = kernel.seed / (every * 8) % 2 == 1,
          .hintsInFront = form == 1 || form == 2,
          .hintsBehind = form == 2 || form == 3 || form == 4,
          .hintsInBranch = form == 5 || form == 6,
          .hintsAtEnd = form == 4 || form == 6 || form == 7};
}

} // namespace regrain::fuzz
