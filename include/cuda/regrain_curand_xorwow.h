//===- regrain_curand_xorwow.h - The generator XORWOW -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003): five words with a
// linear step over GF(2), to which a counter (Weyl's sequence) is added. The functions are
// for the host and the device.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CURAND_XORWOW_H
#define REGRAIN_CURAND_XORWOW_H
#pragma GCC system_header

#include "regrain_curand_jumps.h"
#include "regrain_curand_math.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

static constexpr unsigned int regrainXorwowIncrement = 362437;

REGRAIN_RANDOM void regrainXorwowStep(unsigned int *v) {
  unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] ^= (v[4] << 4) ^ t ^ (t << 1);
}

/* Replaces the words v by the sum of v, step(v), step(step(v)), ... over the polynomial's bits. */
REGRAIN_RANDOM void regrainXorwowJump(unsigned int *v, const unsigned int *polynomial) {
  unsigned int sum[5] = {0, 0, 0, 0, 0};
#pragma unroll 1
  for (int word = 0; word < 5; ++word) {
    unsigned int bits = polynomial[word];
#pragma unroll 1
    for (int bit = 0; bit < 32; ++bit) {
      unsigned int taken = 0u - (bits >> bit & 1);
      for (int i = 0; i < 5; ++i)
        sum[i] ^= v[i] & taken;
      regrainXorwowStep(v);
    }
  }
  for (int i = 0; i < 5; ++i)
    v[i] = sum[i];
}

/* Advances the words by n * 2^first steps. */
REGRAIN_RANDOM void regrainXorwowSkip(unsigned int *state, unsigned long long n, int first) {
  unsigned int v[5];
  for (int i = 0; i < 5; ++i)
    v[i] = state[i];
#pragma unroll 1
  for (int row = first; n != 0; ++row, n >>= 1)
    if (n & 1)
      regrainXorwowJump(v, regrainXorwowJumps[row]);
  for (int i = 0; i < 5; ++i)
    state[i] = v[i];
}

REGRAIN_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
  regrainXorwowSkip(state->v, n, 0);
  state->d += regrainXorwowIncrement * (unsigned int)n;
}

/* A sequence has 2^67 numbers, after which the counter is the same. */
REGRAIN_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
  regrainXorwowSkip(state->v, n, 67);
}

/* Marsaglia's initial words are changed by the seed. How is the interface: the same seeds give the
   numbers of cuRAND. */
REGRAIN_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                unsigned long long offset, curandStateXORWOW_t *state) {
  unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
  unsigned int high = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
}

REGRAIN_RANDOM unsigned int curand(curandStateXORWOW_t *state) {
  regrainXorwowStep(state->v);
  state->d += regrainXorwowIncrement;
  return state->v[4] + state->d;
}

#endif
