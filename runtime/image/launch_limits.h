//===- launch_limits.h - What a launch may have -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>

namespace regrain {

/// The threads of a warp, as the program sees it on every target.
inline constexpr uint32_t warpThreads = 32;

/// The max threads of a block, on every target.
inline constexpr uint32_t maxBlockThreads = 1024;

/// The bytes of the widest access of a thread, on every target.
inline constexpr uint32_t widestAccess = 16;

/// The bytes to which a grain may ask pointer arguments to be aligned: a line of the caches.
/// Allocations are aligned to more.
inline constexpr uint32_t mostAlignment = 128;

/// CUDA's limits per dimension ("CUDA C++ Programming Guide", "Compute Capabilities"): threads of a
/// block and blocks of a grid. The CPU device has the same.
inline constexpr std::array<uint32_t, 3> maxBlockSize = {1024, 1024, 64};
inline constexpr std::array<uint32_t, 3> maxGridSize = {0x7fffffff, 65535, 65535};

/// What no launch exceeds on any target. AMD's GPUs allow more than CUDA: as many threads in z as
/// in a block, and 65536 blocks in y and z (HIP, `hipDeviceProp_t`). A launched block may have more
/// threads in z than the program's, because blocks were fused.
inline constexpr std::array<uint32_t, 3> maxLaunchedBlock = {1024, 1024, 1024};
inline constexpr std::array<uint32_t, 3> maxLaunchedGrid = {0x7fffffff, 65536, 65536};

} // namespace regrain
