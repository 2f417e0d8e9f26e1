//===- Limits.h - Limits of a target ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Refusal/Refusal.h"
#include "compiler/Target/Limits.h"
#include "runtime/image/grain.h"
#include <optional>

namespace regrain {

/// What a kernel at a grain is known to take, before any back end has run.
struct NestSize {
  uint64_t staticSharedBytes = 0;    ///< of a launched block
  std::optional<Factors> block = {}; ///< threads of a launched block
  unsigned mostThreads = 0;          ///< max of a launched block, by its launch bounds; 0: none
  std::optional<std::array<uint64_t, 3>> grid = {}; ///< launched blocks
};

/// Returns the size of `kernel`, which has been transformed to `grain`. `launchBounds` are the
/// program's, 0 if there are none.
[[nodiscard]] NestSize sizeOf(grain::KernelOp kernel, unsigned launchBounds, const Grain &grain);

/// Refuses a kernel that exceeds a limit; not if too little is known of the launch.
[[nodiscard]] std::optional<Refusal> checkLimits(const NestSize &size, const TargetLimits &limits);

} // namespace regrain
