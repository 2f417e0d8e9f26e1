//===- curand_lognormal.h - Numbers whose logarithm is normal ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exponential of a normally distributed number with a mean and a standard deviation. Part of
// curand_kernel.h. A number that a state keeps has the mean of the call that made the pair.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_
#pragma GCC system_header

#include "curand_normal.h"

REGRAIN_RANDOM float regrainLogNormal(float normal, float mean, float stddev) {
  return ::expf(mean + stddev * normal);
}
REGRAIN_RANDOM double regrainLogNormal(double normal, double mean, double stddev) {
  return ::exp(mean + stddev * normal);
}

#define REGRAIN_LOG_NORMAL_OF_PAIRS(STATE)                                                         \
  REGRAIN_RANDOM float2 curand_log_normal2(STATE *state, float mean, float stddev) {               \
    float2 pair = curand_normal2(state);                                                           \
    return make_float2(regrainLogNormal(pair.x, mean, stddev),                                     \
                       regrainLogNormal(pair.y, mean, stddev));                                    \
  }                                                                                                \
  REGRAIN_RANDOM double2 curand_log_normal2_double(STATE *state, double mean, double stddev) {     \
    double2 pair = curand_normal2_double(state);                                                   \
    return make_double2(regrainLogNormal(pair.x, mean, stddev),                                    \
                        regrainLogNormal(pair.y, mean, stddev));                                   \
  }                                                                                                \
  REGRAIN_RANDOM float curand_log_normal(STATE *state, float mean, float stddev) {                 \
    return regrainNextOfPair(                                                                      \
        &state->boxmuller_flag, &state->boxmuller_extra, EXTRA_FLAG_LOG_NORMAL,                    \
        [state, mean, stddev] { return curand_log_normal2(state, mean, stddev); });                \
  }                                                                                                \
  REGRAIN_RANDOM double curand_log_normal_double(STATE *state, double mean, double stddev) {       \
    return regrainNextOfPair(                                                                      \
        &state->boxmuller_flag_double, &state->boxmuller_extra_double, EXTRA_FLAG_LOG_NORMAL,      \
        [state, mean, stddev] { return curand_log_normal2_double(state, mean, stddev); });         \
  }
#define REGRAIN_LOG_NORMAL_BY_INVERSION(RANDOM, STATE)                                             \
  RANDOM float curand_log_normal(STATE *state, float mean, float stddev) {                         \
    return regrainLogNormal(curand_normal(state), mean, stddev);                                   \
  }                                                                                                \
  RANDOM double curand_log_normal_double(STATE *state, double mean, double stddev) {               \
    return regrainLogNormal(curand_normal_double(state), mean, stddev);                            \
  }
REGRAIN_LOG_NORMAL_OF_PAIRS(curandStateXORWOW_t)
REGRAIN_LOG_NORMAL_OF_PAIRS(curandStateMRG32k3a_t)
REGRAIN_LOG_NORMAL_OF_PAIRS(curandStatePhilox4_32_10_t)
REGRAIN_LOG_NORMAL_BY_INVERSION(REGRAIN_RANDOM_BLOCK, curandStateMtgp32_t)
REGRAIN_LOG_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateSobol32_t)
REGRAIN_LOG_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateScrambledSobol32_t)
REGRAIN_LOG_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateSobol64_t)
REGRAIN_LOG_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateScrambledSobol64_t)
#undef REGRAIN_LOG_NORMAL_OF_PAIRS
#undef REGRAIN_LOG_NORMAL_BY_INVERSION

REGRAIN_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean,
                                         float stddev) {
  float4 four = curand_normal4(state);
  return make_float4(regrainLogNormal(four.x, mean, stddev), regrainLogNormal(four.y, mean, stddev),
                     regrainLogNormal(four.z, mean, stddev),
                     regrainLogNormal(four.w, mean, stddev));
}
REGRAIN_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                                 double stddev) {
  double2 a = curand_log_normal2_double(state, mean, stddev);
  double2 b = curand_log_normal2_double(state, mean, stddev);
  return make_double4(a.x, a.y, b.x, b.y);
}

#endif
