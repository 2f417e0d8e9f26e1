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

/// The bytes of shared memory that CUDA lets a kernel declare on every chip; more must be dynamic
/// (CUDA C++ Programming Guide, "Compute Capabilities").
inline constexpr uint64_t mostDeclaredShared = 48 << 10;

/// Limits of one launch; 0 if the target has no limit.
struct TargetLimits {
  uint64_t staticSharedBytes = 0; ///< per block
  uint64_t blockThreads = 0;
  std::array<uint32_t, 3> block = {}; ///< threads per dimension
  std::array<uint32_t, 3> grid = {};  ///< blocks per dimension
};

} // namespace regrain
