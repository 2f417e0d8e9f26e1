//===- random.cu - One use of each function of curand_kernel.h --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions that cuRAND documents for device code, for each state that has them. The states and
// the functions except those of MTGP32 are for the host as well, and for host compilers.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -std=c++14 -c -Werror --targets=cpu -o %t.o %s
// NVIDIA's mathematical functions come from a toolkit; without one, libclc has fewer.
// RUN: %if cuda-toolkit %{ %regrain cc -std=c++14 -c -Werror --targets=compute_70,compute_90 -o %t.o %s %}
// RUN: %regrain cc -std=c++20 -c -Werror --targets=cpu -o %t.o %s
// RUN: %regrain cc -std=c++14 -x c++ -DHOST -c -Wall -Wextra -Werror -I%headers -o %t.o %s
// RUN: g++ -std=c++14 -x c++ -DHOST -c -Wall -Wextra -Werror -I%headers -o %t.o %s
#include <curand.h>
#include <curand_kernel.h>

#ifdef HOST
#define DEVICE inline
#else
#define DEVICE __device__
#endif

static_assert(sizeof(curandState) == 48 && sizeof(curandStateMRG32k3a) == 48, "");
static_assert(sizeof(curandStatePhilox4_32_10_t) == 64 && sizeof(curandStateMtgp32_t) == 4112, "");
static_assert(sizeof(curandStateSobol32_t) == 140 && sizeof(curandStateScrambledSobol64_t) == 536,
              "");

template <class State> DEVICE double distributions(State *state) {
  double sum = double(curand(state));
  sum += curand_uniform(state) + curand_uniform_double(state);
  sum += curand_normal(state) + curand_normal_double(state);
  sum += curand_log_normal(state, 1.0f, 2.0f) + curand_log_normal_double(state, 1.0, 2.0);
  return sum + curand_poisson(state, 3.0);
}

template <class State> DEVICE double pairs(State *state) {
  curand_init(1234ull, 5ull, 6ull, state);
  skipahead(1ull, state);
  skipahead_sequence(1ull, state);
  double sum = curand_normal2(state).x + curand_normal2_double(state).y;
  sum += curand_log_normal2(state, 1.0f, 2.0f).x + curand_log_normal2_double(state, 1.0, 2.0).y;
  return sum + distributions(state);
}

DEVICE double pseudorandom(curandStateXORWOW_t *xorwow, curandStateMRG32k3a_t *mrg,
                           curandStatePhilox4_32_10_t *philox) {
  double sum = pairs(xorwow) + pairs(mrg) + pairs(philox);
  skipahead_subsequence(1ull, mrg);
  uint4 integers = curand4(philox), poisson = curand_poisson4(philox, 3.0);
  float4 uniform = curand_uniform4(philox), normal = curand_normal4(philox);
  float4 logNormal = curand_log_normal4(philox, 1.0f, 2.0f);
  sum += curand_uniform2_double(philox).x + curand_uniform4_double(philox).w;
  sum += curand_normal4_double(philox).w + curand_log_normal4_double(philox, 1.0, 2.0).w;
  return sum + integers.x + poisson.y + uniform.z + normal.w + logNormal.x;
}

DEVICE double quasirandom(curandDirectionVectors32_t *vectors32,
                          curandDirectionVectors64_t *vectors64) {
  curandStateSobol32_t sobol32;
  curandStateScrambledSobol32_t scrambled32;
  curandStateSobol64_t sobol64;
  curandStateScrambledSobol64_t scrambled64;
  curand_init(vectors32[0], 1u, &sobol32);
  curand_init(vectors32[1], 2u, 3u, &scrambled32);
  curand_init(vectors64[0], 1ull, &sobol64);
  curand_init(vectors64[1], 2ull, 3ull, &scrambled64);
  skipahead(1u, &sobol32);
  skipahead(1u, &scrambled32);
  skipahead(1ull, &sobol64);
  skipahead(1ull, &scrambled64);
  return distributions(&sobol32) + distributions(&scrambled32) + distributions(&sobol64) +
         distributions(&scrambled64);
}

#ifdef HOST
double use(curandState_t *xorwow, curandStateMRG32k3a_t *mrg, curandStatePhilox4_32_10_t *philox,
           curandDirectionVectors32_t *vectors32, curandDirectionVectors64_t *vectors64);
double use(curandState_t *xorwow, curandStateMRG32k3a_t *mrg, curandStatePhilox4_32_10_t *philox,
           curandDirectionVectors32_t *vectors32, curandDirectionVectors64_t *vectors64) {
  return pseudorandom(xorwow, mrg, philox) + quasirandom(vectors32, vectors64);
}
#else
#include <curand_mtgp32_host.h>

template <class State>
__device__ unsigned discrete(State *state, curandDiscreteDistribution_t distribution) {
  return curand_discrete(state, distribution);
}

__global__ void each(double *out, curandState *xorwow, curandStateMRG32k3a *mrg,
                     curandStatePhilox4_32_10 *philox, curandDirectionVectors32_t *vectors32,
                     curandDirectionVectors64_t *vectors64, curandStateMtgp32 *mtgp,
                     curandStateSobol32 *sobol, curandDiscreteDistribution_t distribution) {
  out[0] = pseudorandom(xorwow, mrg, philox) + quasirandom(vectors32, vectors64);
  out[1] = discrete(xorwow, distribution) + discrete(mrg, distribution) +
           discrete(philox, distribution) + discrete(sobol, distribution) +
           discrete(mtgp, distribution) + curand_discrete4(philox, distribution).x;
  out[2] = distributions(mtgp) + curand_mtgp32_specific(mtgp, 1, 2) + curand_mtgp32_single(mtgp) +
           curand_mtgp32_single_specific(mtgp, 1, 2);
}

curandStatus_t make(curandStateMtgp32 *states, mtgp32_params_fast_t *parameters,
                    mtgp32_kernel_params_t *constants) {
  curandStatus_t status = curandMakeMTGP32Constants(parameters, constants);
  if (status != CURAND_STATUS_SUCCESS)
    return status;
  return curandMakeMTGP32KernelState(states, parameters, constants, 1, 1234);
}
#endif
