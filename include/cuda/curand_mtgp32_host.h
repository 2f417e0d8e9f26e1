//===- curand_mtgp32_host.h - States of the generator MTGP32 ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host fills the parameters and the states of MTGP32 in the device's memory. The table of
// parameters, mtgp32dc_params_fast_11213, is included where a CUDA toolkit has its header;
// programs may also pass tables of their own.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H
#pragma GCC system_header

#include "cuda_runtime_api.h"
#include "curand.h"
#include "curand_mtgp32.h"

#include <memory>
#include <string.h>

#if __has_include("curand_mtgp32dc_p_11213.h")
#include "curand_mtgp32dc_p_11213.h"
#endif

/* Fills the words of a state. Saito's initialisation mixes the seed with the parameters, so that
   generators with equal seeds differ. */
static inline void regrainMtgpSeed(unsigned int *words, const mtgp32_params_fast_t *parameters,
                                   unsigned int seed) {
  unsigned int hidden = parameters->tbl[4] ^ (parameters->tbl[8] << 16), fill = hidden;
  fill += fill >> 16;
  fill += fill >> 8;
  const int count = parameters->mexp / 32 + 1;
  for (int i = 0; i < count; ++i)
    words[i] = (fill & 0xff) * 0x01010101u;
  words[0] = seed;
  words[1] = hidden;
  for (int i = 1; i < count; ++i)
    words[i] ^= 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + (unsigned int)i;
}

/* Copies the parameters of CURAND_NUM_MTGP32_PARAMS generators to the device. */
static inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                                                       mtgp32_kernel_params_t *p) {
  std::unique_ptr<mtgp32_kernel_params_t> all(new mtgp32_kernel_params_t());
  all->mask[0] = params[0].mask;
  for (int i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    all->pos_tbl[i] = (unsigned int)params[i].pos;
    all->sh1_tbl[i] = (unsigned int)params[i].sh1;
    all->sh2_tbl[i] = (unsigned int)params[i].sh2;
    memcpy(all->param_tbl[i], params[i].tbl, sizeof(all->param_tbl[i]));
    memcpy(all->temper_tbl[i], params[i].tmp_tbl, sizeof(all->temper_tbl[i]));
    memcpy(all->single_temper_tbl[i], params[i].flt_tmp_tbl, sizeof(all->single_temper_tbl[i]));
  }
  if (cudaMemcpy(p, all.get(), sizeof(*all), cudaMemcpyHostToDevice) != cudaSuccess)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  return CURAND_STATUS_SUCCESS;
}

/* Fills n states on the device, at most as many as there are parameters. State i takes number i. */
static inline curandStatus_t CURANDAPI curandMakeMTGP32KernelState(curandStateMtgp32_t *s,
                                                                   mtgp32_params_fast_t params[],
                                                                   mtgp32_kernel_params_t *k, int n,
                                                                   unsigned long long seed) {
  if (n < 0 || n > CURAND_NUM_MTGP32_PARAMS)
    return CURAND_STATUS_OUT_OF_RANGE;
  std::unique_ptr<curandStateMtgp32_t[]> states(new curandStateMtgp32_t[(size_t)n]());
  for (int i = 0; i < n; ++i) {
    regrainMtgpSeed(states[i].s, &params[i], (unsigned int)(seed ^ (seed >> 32)) + i + 1);
    states[i].pIdx = i;
    states[i].k = k;
  }
  if (cudaMemcpy(s, states.get(), sizeof(states[0]) * (size_t)n, cudaMemcpyHostToDevice) !=
      cudaSuccess)
    return CURAND_STATUS_INITIALIZATION_FAILED;
  return CURAND_STATUS_SUCCESS;
}

#endif
