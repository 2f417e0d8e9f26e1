//===- Machine.h - Lanes, warps and waves -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wave has 32 or 64 lanes that run in lockstep; a warp consists of 32 of them, which are all of
// the wave or one half. What one half does is never visible in the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Library/Function.h"

#define REGRAIN_SHARED __attribute__((address_space(3)))

/// The lanes of a wave; DeviceLibrary.cpp defines the value when it links.
extern "C" const u32 __attribute__((address_space(4))) regrain_wave_size;

namespace regrain {

[[gnu::always_inline]] inline u32 laneOfWave() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

/// Returns the number in the wave of the first lane of this lane's warp: 0 or 32.
[[gnu::always_inline]] inline u32 firstOfWarp() { return laneOfWave() & (regrain_wave_size - 32); }

/// Returns the number of the lane in its warp.
[[gnu::always_inline]] inline u32 lane() { return laneOfWave() & 31; }

/// Returns the active lanes of the warp for which `bit` is set.
[[gnu::always_inline]] inline u32 ballot(bool bit) {
  u64 wave = __builtin_amdgcn_ballot_w64(bit);
  return firstOfWarp() ? u32(wave >> 32) : u32(wave);
}

/// Returns `value` of lane `from` of the same warp, which must be active.
[[gnu::always_inline]] inline u32 valueOf(u32 from, u32 value) {
  return u32(__builtin_amdgcn_ds_bpermute(i32((firstOfWarp() | from) << 2), i32(value)));
}

/// Returns a result with PTX's predicate in bit 32.
[[gnu::always_inline]] inline u64 withPredicate(u32 result, bool predicate) {
  return u64(predicate) << 32 | result;
}

} // namespace regrain
