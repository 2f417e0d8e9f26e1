//===- curand_philox4x32_x.h - The generator Philox4x32-10 ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (2011): ten rounds of
// multiplications turn a counter of 128 bits into four numbers. The seed is the key, the
// subsequence the upper half of the counter, and the offset counts numbers. The functions are
// for the host and the device.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_
#pragma GCC system_header

#include "regrain_curand_math.h"
#include "vector_types.h"

/* `output` is the counter's block, of which STATE numbers were taken. */
struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

REGRAIN_RANDOM uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter.x = (unsigned int)(b >> 32) ^ counter.y ^ key.x;
    counter.z = (unsigned int)(a >> 32) ^ counter.w ^ key.y;
    counter.y = (unsigned int)b;
    counter.w = (unsigned int)a;
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

/* Adds n to the upper half of the counter, or to all of it. */
REGRAIN_RANDOM void regrainPhiloxAddHigh(curandStatePhilox4_32_10_t *state, unsigned long long n) {
  unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
  state->ctr.z = (unsigned int)high;
  state->ctr.w = (unsigned int)(high >> 32);
}
REGRAIN_RANDOM void regrainPhiloxAdd(curandStatePhilox4_32_10_t *state, unsigned long long n) {
  unsigned long long low = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + n;
  state->ctr.x = (unsigned int)low;
  state->ctr.y = (unsigned int)(low >> 32);
  if (low < n)
    regrainPhiloxAddHigh(state, 1);
}

REGRAIN_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  unsigned int taken = state->STATE + (unsigned int)(n & 3);
  state->STATE = taken & 3;
  regrainPhiloxAdd(state, (n >> 2) + (taken >> 2));
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

REGRAIN_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
  regrainPhiloxAddHigh(state, n);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

REGRAIN_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                unsigned long long offset, curandStatePhilox4_32_10_t *state) {
  state->ctr.x = state->ctr.y = 0;
  state->ctr.z = (unsigned int)subsequence;
  state->ctr.w = (unsigned int)(subsequence >> 32);
  state->key.x = (unsigned int)seed;
  state->key.y = (unsigned int)(seed >> 32);
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  skipahead(offset, state);
}

REGRAIN_RANDOM void regrainPhiloxNextBlock(curandStatePhilox4_32_10_t *state) {
  regrainPhiloxAdd(state, 1);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

REGRAIN_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *state) {
  uint4 block = state->output;
  unsigned int taken = state->STATE++;
  if (taken == 3) {
    state->STATE = 0;
    regrainPhiloxNextBlock(state);
  }
  return taken == 0 ? block.x : taken == 1 ? block.y : taken == 2 ? block.z : block.w;
}

/* Returns the next four numbers, which may be of two blocks. */
REGRAIN_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *state) {
  uint4 a = state->output;
  regrainPhiloxNextBlock(state);
  uint4 b = state->output;
  uint4 four = a;
  if (state->STATE == 1) {
    four.x = a.y;
    four.y = a.z;
    four.z = a.w;
    four.w = b.x;
  } else if (state->STATE == 2) {
    four.x = a.z;
    four.y = a.w;
    four.z = b.x;
    four.w = b.y;
  } else if (state->STATE == 3) {
    four.x = a.w;
    four.y = b.x;
    four.z = b.y;
    four.w = b.z;
  }
  return four;
}

#endif
