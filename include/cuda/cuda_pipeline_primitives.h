//===- cuda_pipeline_primitives.h - Asynchronous copies ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy from global to shared memory is visible to its thread after the wait for its
// batch. Device code for compute capability 8.0 or newer copies asynchronously (cp.async);
// all other code copies at once, which a program can't tell apart from that.
//
//===----------------------------------------------------------------------===//
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_
#pragma GCC system_header

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#define REGRAIN_PIPELINE static __inline__ __device__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/* The last `zfill` bytes of the 4, 8 or 16 become 0 and are not read. */
REGRAIN_PIPELINE void __pipeline_memcpy_async(void *__restrict__ dst, const void *__restrict__ src,
                                              size_t bytes, size_t zfill = 0) {
  void __attribute__((address_space(3))) *to = (void __attribute__((address_space(3))) *)dst;
  const void __attribute__((address_space(1))) *from =
      (const void __attribute__((address_space(1))) *)src;
  int read = (int)(bytes - zfill);
  switch (bytes) {
  case 4:
    __nvvm_cp_async_ca_shared_global_4(to, from, read);
    return;
  case 8:
    __nvvm_cp_async_ca_shared_global_8(to, from, read);
    return;
  case 16:
    __nvvm_cp_async_cg_shared_global_16(to, from, read);
    return;
  default:
    __builtin_trap();
  }
}
REGRAIN_PIPELINE void __pipeline_commit() { __nvvm_cp_async_commit_group(); }
/* Waiting for more batches than the program asked for is allowed. */
REGRAIN_PIPELINE void __pipeline_wait_prior(size_t prior) {
  switch (prior) {
  case 0:
    __nvvm_cp_async_wait_group(0);
    return;
  case 1:
    __nvvm_cp_async_wait_group(1);
    return;
  case 2:
    __nvvm_cp_async_wait_group(2);
    return;
  case 3:
    __nvvm_cp_async_wait_group(3);
    return;
  case 4:
    __nvvm_cp_async_wait_group(4);
    return;
  case 5:
    __nvvm_cp_async_wait_group(5);
    return;
  case 6:
    __nvvm_cp_async_wait_group(6);
    return;
  case 7:
    __nvvm_cp_async_wait_group(7);
    return;
  default:
    __nvvm_cp_async_wait_group(8);
    return;
  }
}
/* The barrier counts an arrival once the thread's copies are done, beside the expected ones. */
REGRAIN_PIPELINE void __pipeline_arrive_on(__mbarrier_t *barrier) {
  __nvvm_cp_async_mbarrier_arrive((long *)barrier);
}

#else

REGRAIN_PIPELINE void __pipeline_memcpy_async(void *__restrict__ dst, const void *__restrict__ src,
                                              size_t bytes, size_t zfill = 0) {
  typedef unsigned int Word __attribute__((may_alias));
  if (bytes != 4 && bytes != 8 && bytes != 16)
    __builtin_trap();
  for (size_t at = 0; at < bytes; at += 4) {
    if (at + 4 + zfill <= bytes) {
      ((Word *)dst)[at / 4] = ((const Word *)src)[at / 4];
      continue;
    }
    for (size_t i = at; i < at + 4; ++i)
      ((char *)dst)[i] = i + zfill < bytes ? ((const char *)src)[i] : 0;
  }
}
REGRAIN_PIPELINE void __pipeline_commit() {}
REGRAIN_PIPELINE void __pipeline_wait_prior(size_t) {}
REGRAIN_PIPELINE void __pipeline_arrive_on(__mbarrier_t *) {}

#endif

#undef REGRAIN_PIPELINE

#endif

#endif
