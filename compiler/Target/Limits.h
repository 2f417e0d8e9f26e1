//===- Limits.h - Limits of one launch on a target --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>

namespace regrain {

/// Limits of one launch; 0 if the target has no limit.
struct TargetLimits {
  uint64_t staticSharedBytes = 0; ///< per block
  uint64_t blockThreads = 0;
  std::array<uint32_t, 3> block = {}; ///< threads per dimension
  std::array<uint32_t, 3> grid = {};  ///< blocks per dimension
};

} // namespace regrain
