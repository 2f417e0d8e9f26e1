//===- regrain_curand_mrg32k3a.h - The generator MRG32k3a -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators", Operations Research 47 (1999): the difference of two linear recurrences
// modulo primes below 2^32. The functions are for the host and the device.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CURAND_MRG32K3A_H
#define REGRAIN_CURAND_MRG32K3A_H
#pragma GCC system_header

#include "regrain_curand_jumps.h"
#include "regrain_curand_math.h"

struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* The moduli are 2^32 less these. */
static constexpr unsigned int regrainMrgGap1 = 209, regrainMrgGap2 = 22853;
static constexpr unsigned int regrainMrgModulus1 = 4294967087u, regrainMrgModulus2 = 4294944443u;

/* Returns x modulo 2^32 - gap. A multiple of 2^32 is replaced by that multiple of the gap, twice,
   after which x is less than two moduli. */
REGRAIN_RANDOM unsigned int regrainMrgReduce(unsigned long long x, unsigned int gap) {
  x = (x >> 32) * gap + (unsigned int)x;
  x = (x >> 32) * gap + (unsigned int)x;
  unsigned int modulus = 0u - gap;
  return (unsigned int)(x >= modulus ? x - modulus : x);
}

REGRAIN_RANDOM void regrainMrgStep1(unsigned int *s) {
  unsigned int next =
      regrainMrgReduce(1403580ull * s[1] + 810728ull * (regrainMrgModulus1 - s[0]), regrainMrgGap1);
  s[0] = s[1];
  s[1] = s[2];
  s[2] = next;
}
REGRAIN_RANDOM void regrainMrgStep2(unsigned int *s) {
  unsigned int next =
      regrainMrgReduce(527612ull * s[2] + 1370589ull * (regrainMrgModulus2 - s[0]), regrainMrgGap2);
  s[0] = s[1];
  s[1] = s[2];
  s[2] = next;
}

REGRAIN_RANDOM unsigned int regrainMrgSum(const unsigned int *c, const unsigned int *s,
                                          unsigned int gap) {
  unsigned long long sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += regrainMrgReduce((unsigned long long)c[i] * s[i], gap);
  return regrainMrgReduce(sum, gap);
}

/* Advances both components by n * 2^first steps. The three words of a component and the two that
   follow give those of the sum over the polynomial. */
REGRAIN_RANDOM void regrainMrgSkip(curandStateMRG32k3a_t *state, unsigned long long n, int first) {
  unsigned int a[5], b[5];
  for (int i = 0; i < 3; ++i) {
    a[i] = state->s1[i];
    b[i] = state->s2[i];
  }
#pragma unroll 1
  for (int row = first; n != 0; ++row, n >>= 1) {
    if (!(n & 1))
      continue;
    const unsigned int *c = regrainMrgJumps[row];
    for (int i = 0; i < 2; ++i) {
      unsigned int next1[3] = {a[i], a[i + 1], a[i + 2]}, next2[3] = {b[i], b[i + 1], b[i + 2]};
      regrainMrgStep1(next1);
      regrainMrgStep2(next2);
      a[i + 3] = next1[2];
      b[i + 3] = next2[2];
    }
    for (int i = 0; i < 3; ++i) {
      a[i] = regrainMrgSum(c, a + i, regrainMrgGap1);
      b[i] = regrainMrgSum(c + 3, b + i, regrainMrgGap2);
    }
  }
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = a[i];
    state->s2[i] = b[i];
  }
}

REGRAIN_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) {
  regrainMrgSkip(state, n, 0);
}
REGRAIN_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  regrainMrgSkip(state, n, 76);
}
REGRAIN_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
  regrainMrgSkip(state, n, 127);
}

REGRAIN_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                unsigned long long offset, curandStateMRG32k3a_t *state) {
  unsigned int low = (unsigned int)seed ^ 0x55555555u;
  unsigned int high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = state->s2[i] = 12345u;
    if (seed == 0)
      continue;
    state->s1[i] = regrainMrgReduce(12345ull * (i == 1 ? high : low), regrainMrgGap1);
    state->s2[i] = regrainMrgReduce(12345ull * (i == 1 ? low : high), regrainMrgGap2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
}

/* Returns a whole number between 1 and the larger modulus. */
REGRAIN_RANDOM double curand_MRG32k3a(curandStateMRG32k3a_t *state) {
  regrainMrgStep1(state->s1);
  regrainMrgStep2(state->s2);
  unsigned int p1 = state->s1[2], p2 = state->s2[2];
  return p1 > p2 ? p1 - p2 : p1 - p2 + regrainMrgModulus1;
}

/* The factor spreads the numbers over all 32 bits: (2^32 - 1) / modulus, with the digits that
   cuRAND documents. */
REGRAIN_RANDOM unsigned int curand(curandStateMRG32k3a_t *state) {
  return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);
}

#endif
