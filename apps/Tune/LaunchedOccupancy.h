//===- LaunchedOccupancy.h - Occupancy of launched blocks -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's figure holds for the blocks that it assumes. A class of launches tells the
// program's block and its dynamic shared memory, and the grain what is launched in their place.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"
#include "runtime/image/resources.h"

#include <string>

namespace regrain::tune {

/// Code of a kernel at a grain, and the launches for which it is chosen.
struct LaunchedCode {
  std::string chip; ///< of NVIDIA, for example "sm_90"; empty for another vendor's
  Grain grain;
  std::string launchClass; ///< toString(LaunchClass)
};

/// Returns the figures of code with the occupancy of the blocks that are launched. It is not known
/// where the source of a variant decides the launch, and for another vendor's chip if the compiler
/// assumed other blocks.
[[nodiscard]] Resources ofLaunchedBlock(Resources figures, const LaunchedCode &code);

} // namespace regrain::tune
