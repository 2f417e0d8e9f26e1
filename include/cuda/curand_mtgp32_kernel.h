//===- curand_mtgp32_kernel.h - The generator MTGP32 ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of curand_kernel.h. All threads of a block, at most 256, call these functions together,
// or as many as a call of the forms `_specific` says: each draws one number, and then the
// state advances by as many.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H
#pragma GCC system_header

#include "curand_mtgp32.h"
#include "regrain_curand_math.h"

#define REGRAIN_RANDOM_BLOCK static __forceinline__ __device__

/* One step of the recurrence, for the words that are 0, 1 and pos behind the oldest. */
REGRAIN_RANDOM unsigned int regrainMtgpNext(const mtgp32_kernel_params_t *k, int index,
                                            unsigned int oldest, unsigned int second,
                                            unsigned int picked) {
  unsigned int x = (oldest & k->mask[0]) ^ second;
  x ^= x << k->sh1_tbl[index];
  unsigned int y = x ^ (picked >> k->sh2_tbl[index]);
  return y ^ k->param_tbl[index][y & 15];
}

/* Selects a row of the tempering tables. */
REGRAIN_RANDOM unsigned int regrainMtgpTemper(unsigned int word) {
  word ^= word >> 16;
  word ^= word >> 8;
  return word & 15;
}

REGRAIN_RANDOM unsigned int regrainMtgpBits(const mtgp32_kernel_params_t *k, int index,
                                            unsigned int next, unsigned int beforePicked) {
  return next ^ k->temper_tbl[index][regrainMtgpTemper(beforePicked)];
}
/* 23 bits of a float between 1 and 2, less 1. */
REGRAIN_RANDOM float regrainMtgpSingle(const mtgp32_kernel_params_t *k, int index,
                                       unsigned int next, unsigned int beforePicked) {
  unsigned int bits = (next >> 9) ^ k->single_temper_tbl[index][regrainMtgpTemper(beforePicked)];
  float number;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number - 1.0f;
}

#if defined(__CUDACC__) || defined(__CUDA__)
/* Thread `thread` of `count` computes its new word, and `temper` its number. New words go behind
   the oldest 351, where no thread of the same draw reads. */
template <class Temper>
REGRAIN_RANDOM_BLOCK auto regrainMtgpDraw(curandStateMtgp32_t *state, unsigned int thread,
                                          unsigned int count, Temper temper)
    -> decltype(temper(state->k, 0, 0u, 0u)) {
  const mtgp32_kernel_params_t *k = state->k;
  int index = state->pIdx;
  unsigned int place = state->offset + thread, pos = k->pos_tbl[index];
  unsigned int next = regrainMtgpNext(k, index, state->s[place & MTGP32_STATE_MASK],
                                      state->s[(place + 1) & MTGP32_STATE_MASK],
                                      state->s[(place + pos) & MTGP32_STATE_MASK]);
  state->s[(place + MTGPDC_N) & MTGP32_STATE_MASK] = next;
  auto number = temper(k, index, next, state->s[(place + pos - 1) & MTGP32_STATE_MASK]);
  __syncthreads();
  if (thread == 0)
    state->offset = (state->offset + count) & MTGP32_STATE_MASK;
  __syncthreads();
  return number;
}

REGRAIN_RANDOM_BLOCK unsigned int regrainMtgpThread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
REGRAIN_RANDOM_BLOCK unsigned int regrainMtgpThreads() {
  return blockDim.x * blockDim.y * blockDim.z;
}

struct regrainMtgpToBits {
  __device__ unsigned int operator()(const mtgp32_kernel_params_t *k, int index, unsigned int next,
                                     unsigned int beforePicked) const {
    return regrainMtgpBits(k, index, next, beforePicked);
  }
};
struct regrainMtgpToSingle {
  __device__ float operator()(const mtgp32_kernel_params_t *k, int index, unsigned int next,
                              unsigned int beforePicked) const {
    return regrainMtgpSingle(k, index, next, beforePicked);
  }
};

REGRAIN_RANDOM_BLOCK unsigned int curand(curandStateMtgp32_t *state) {
  return regrainMtgpDraw(state, regrainMtgpThread(), regrainMtgpThreads(), regrainMtgpToBits());
}
REGRAIN_RANDOM_BLOCK unsigned int curand_mtgp32_specific(curandStateMtgp32_t *state,
                                                         unsigned char index, unsigned char n) {
  return regrainMtgpDraw(state, index, n, regrainMtgpToBits());
}
REGRAIN_RANDOM_BLOCK float curand_mtgp32_single(curandStateMtgp32_t *state) {
  return regrainMtgpDraw(state, regrainMtgpThread(), regrainMtgpThreads(), regrainMtgpToSingle());
}
REGRAIN_RANDOM_BLOCK float curand_mtgp32_single_specific(curandStateMtgp32_t *state,
                                                         unsigned char index, unsigned char n) {
  return regrainMtgpDraw(state, index, n, regrainMtgpToSingle());
}
#else
/* Host compilers have no blocks: what calls this in the other headers does not link. */
unsigned int curand(curandStateMtgp32_t *state);
#endif

#endif
