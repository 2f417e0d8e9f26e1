//===- grid_workspace.h - The workspace of a cooperative launch -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On NVIDIA GPUs, two registers have its address. Code objects for AMD GPUs have no such registers:
// if a module reads them, each of its kernels has one more parameter of 64 bits, the last one, with
// the address, and the module has the variable below. The address is 0 in a launch that is not
// cooperative.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

inline constexpr char gridWorkspaceMarker[] = "regrain_grid_workspace";

/// The workspace. The counter of a barrier over the grid starts at 0, and needs no reset
/// (include/cuda/cooperative_groups/regrain_grid.h).
struct GridWorkspaceLayout {
  uint32_t bytes;
  uint32_t barrier;
};

} // namespace regrain
