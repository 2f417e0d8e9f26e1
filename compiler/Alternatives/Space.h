//===- Space.h - Which grains are worth compiling ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <array>
#include <vector>

namespace regrain {

/// Which coordinates the code of a kernel reads. A dimension that is never read
/// is 1 in every sensible launch, and coarsening it gains nothing.
struct CoordinateUse {
  std::array<bool, 3> block = {};
  std::array<bool, 3> thread = {};
};

[[nodiscard]] CoordinateUse coordinateUse(grain::KernelOp kernel);

/// Grains for a kernel that reads these coordinates, without the original, best
/// guess first: block factors before thread factors, small before large, one
/// dimension before two, so that a prefix of the list is a sensible space at
/// any budget. At most `limit` entries.
///
/// Factors are 2..9 and 16 for blocks (the published peaks lie at 7 and 9; any
/// factor is legal), powers of two up to 8 for threads (they must divide the
/// block size of the launch).
[[nodiscard]] std::vector<Grain> enumerateGrains(const CoordinateUse &use, size_t limit);

} // namespace regrain
