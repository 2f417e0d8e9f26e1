//===- Occupancy.h - Resident waves of a SIMD unit --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/Multiprocessor.h"
#include "runtime/image/resources.h"

namespace regrain::amdgpu {

/// Returns the SIMD units that share local memory as a multiprocessor.
[[nodiscard]] Multiprocessor multiprocessorOf(const Chip &chip);

/// Sets waves, occupancyPercent and occupancyThreads: the waves that one SIMD unit holds when
/// blocks of `threads` threads with these registers and static local memory run, and their share of
/// its slots. Sets nothing if the registers are not known.
void setOccupancy(const Chip &chip, unsigned threads, Resources &resources);

} // namespace regrain::amdgpu
