//===- Synchronisation.cpp - Barriers and fences --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Machine.h"

using namespace regrain;

namespace {

[[gnu::always_inline]] inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// The sum over the warps of a block so far.
[[clang::loader_uninitialized]] REGRAIN_SHARED u32 total;

/// Returns the number of threads of the block that reach the barrier with `bit` set. Every thread
/// initialises the sum, because any of them may have exited before. The last barrier separates the
/// next initialisation from threads that are still reading.
[[gnu::always_inline]] inline u32 countInBlock(bool bit) {
  total = 0;
  barrier();
  u64 wave = __builtin_amdgcn_ballot_w64(bit);
  if (laneOfWave() == u32(__builtin_ctzll(__builtin_amdgcn_ballot_w64(true))))
    __scoped_atomic_fetch_add(&total, u32(__builtin_popcountll(wave)), __ATOMIC_RELAXED,
                              __MEMORY_SCOPE_WRKGRP);
  barrier();
  u32 result = total;
  barrier();
  return result;
}

} // namespace

REGRAIN_FUNCTION void nvvm_barrier0() { barrier(); }

/// Without a thread count every thread of the block takes part, so all threads reach the same
/// numbers in the same order, or wait for ever: one barrier serves for all numbers. Barriers with a
/// count, at several of which threads may wait at once, are not implemented.
REGRAIN_FUNCTION void nvvm_barrier_n(u32) { barrier(); }
REGRAIN_FUNCTION void nvvm_bar_sync(u32) { barrier(); }
REGRAIN_FUNCTION void nvvm_barrier_sync(u32) { barrier(); }
REGRAIN_FUNCTION i32 nvvm_barrier0_popc(i32 bit) { return i32(countInBlock(bit)); }
REGRAIN_FUNCTION i32 nvvm_barrier0_or(i32 bit) { return countInBlock(bit) != 0; }
REGRAIN_FUNCTION i32 nvvm_barrier0_and(i32 bit) { return countInBlock(!bit) == 0; }

/// A cluster is one block, so arriving may be deferred to the wait: nothing else waits for it.
REGRAIN_FUNCTION void nvvm_barrier_cluster_arrive() {}
REGRAIN_FUNCTION void nvvm_barrier_cluster_wait() { barrier(); }

/// The lanes of a wave run together and see each other's accesses in order: nothing has to wait,
/// but accesses must not be moved across.
REGRAIN_FUNCTION void nvvm_bar_warp_sync(u32) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

REGRAIN_FUNCTION void nvvm_membar_cta() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
REGRAIN_FUNCTION void nvvm_membar_gl() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
REGRAIN_FUNCTION void nvvm_membar_sys() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

/// Sleeping for less than the requested time is allowed; 2 means 128 cycles.
REGRAIN_FUNCTION void nvvm_nanosleep(u32) { __builtin_amdgcn_s_sleep(2); }
