//===- cuda_awbarrier_primitives.h - Barriers in memory ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier in shared memory counts arrivals; a phase ends with the last one that is
// expected. Device code for compute capability 8.0 or newer uses the hardware's
// barriers, all other code an atomic word.
//
//===----------------------------------------------------------------------===//
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)

#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define REGRAIN_BARRIER static __inline__ __device__

REGRAIN_BARRIER uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

REGRAIN_BARRIER void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected) {
  __nvvm_mbarrier_init((long *)barrier, (int)expected);
}
REGRAIN_BARRIER void __mbarrier_inval(__mbarrier_t *barrier) {
  __nvvm_mbarrier_inval((long *)barrier);
}
REGRAIN_BARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  return (__mbarrier_token_t)__nvvm_mbarrier_arrive((long *)barrier);
}
REGRAIN_BARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  return (__mbarrier_token_t)__nvvm_mbarrier_arrive_drop((long *)barrier);
}
REGRAIN_BARRIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return (uint32_t)__nvvm_mbarrier_pending_count((long)token);
}
REGRAIN_BARRIER bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  return __nvvm_mbarrier_test_wait((long *)barrier, (long)token);
}
REGRAIN_BARRIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  unsigned int done;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\t"
               "selp.b32 %0, 1, 0, p;\n\t"
               "}"
               : "=r"(done)
               : "r"((unsigned int)__cvta_generic_to_shared(barrier)), "r"((unsigned int)parity)
               : "memory");
  return done != 0;
}

#else

/* The word has the arrivals that are pending (20 bits), those that each phase expects (20 bits),
   and the number of the phase. */
REGRAIN_BARRIER void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected) {
  *(volatile __mbarrier_t *)barrier = (uint64_t)expected << 20 | expected;
}
REGRAIN_BARRIER void __mbarrier_inval(__mbarrier_t *) {}
REGRAIN_BARRIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return (uint32_t)token & ((1u << 20) - 1);
}
/* Takes `dropped` from the expected arrivals. Returns the word before. */
REGRAIN_BARRIER __mbarrier_token_t regrainArrive(__mbarrier_t *barrier, uint64_t dropped) {
  unsigned long long *word = (unsigned long long *)barrier;
  unsigned long long seen = *(volatile unsigned long long *)word, before;
  __threadfence_block();
  do {
    before = seen;
    unsigned long long after = before - 1 - (dropped << 20);
    if (__mbarrier_token_pending_count(after) == 0)
      after += (1ull << 40) + (after >> 20 & ((1u << 20) - 1));
    seen = atomicCAS(word, before, after);
  } while (seen != before);
  return before;
}
REGRAIN_BARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  return regrainArrive(barrier, 0);
}
REGRAIN_BARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  return regrainArrive(barrier, 1);
}
REGRAIN_BARRIER bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  bool done = *(volatile __mbarrier_t *)barrier >> 40 != token >> 40;
  __threadfence_block();
  return done;
}
REGRAIN_BARRIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  bool done = (*(volatile __mbarrier_t *)barrier >> 40 & 1) != parity;
  __threadfence_block();
  return done;
}

#endif

/* A shorter sleep than the longest one is allowed. */
REGRAIN_BARRIER bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                         uint32_t nanoseconds) {
  if (__mbarrier_test_wait(barrier, token))
    return true;
  __nanosleep(nanoseconds);
  return __mbarrier_test_wait(barrier, token);
}
REGRAIN_BARRIER bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                                                uint32_t nanoseconds) {
  if (__mbarrier_test_wait_parity(barrier, parity))
    return true;
  __nanosleep(nanoseconds);
  return __mbarrier_test_wait_parity(barrier, parity);
}

#undef REGRAIN_BARRIER

#endif

#endif
