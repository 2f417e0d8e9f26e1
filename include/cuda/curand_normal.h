//===- curand_normal.h - Normally distributed numbers -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers with mean 0 and standard deviation 1. Part of curand_kernel.h. XORWOW, MRG32k3a and
// Philox make pairs by G. Box and M. Muller's method (1958): the first uniform number gives the
// radius, the second one the angle. A single number of a pair leaves the other in the state for
// the next call. The other generators invert the distribution, and so keep their order.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_NORMAL_H_
#define CURAND_NORMAL_H_
#pragma GCC system_header

#include "curand_uniform.h"

/* A pair of a radius, whose square has an exponential distribution, and an angle. */
REGRAIN_RANDOM float2 regrainBoxMuller(float u, float angle) {
  float radius = ::sqrtf(-2.0f * ::logf(u));
  float2 direction = regrainSinCos(angle);
  return make_float2(direction.x * radius, direction.y * radius);
}
REGRAIN_RANDOM float2 regrainBoxMuller(unsigned int x, unsigned int y) {
  const float unit = 2.3283064e-10f * 6.2831855f;
  return regrainBoxMuller(regrainUniform(x), (float)y * unit + unit / 2);
}
/* The angle is in units of pi. */
REGRAIN_RANDOM double2 regrainBoxMullerDouble(double u, double angle) {
  double radius = ::sqrt(-2.0 * ::log(u));
  double2 direction = regrainSinCosPi(angle);
  return make_double2(direction.x * radius, direction.y * radius);
}
REGRAIN_RANDOM double2 regrainBoxMullerDouble(uint4 x) {
  return regrainBoxMullerDouble(regrainUniformDouble(x.x, x.y), 2 * regrainUniformDouble(x.z, x.w));
}

REGRAIN_RANDOM float2 curand_normal2(curandStateXORWOW_t *state) {
  unsigned int x = curand(state), y = curand(state);
  return regrainBoxMuller(x, y);
}
REGRAIN_RANDOM float2 curand_normal2(curandStatePhilox4_32_10_t *state) {
  unsigned int x = curand(state), y = curand(state);
  return regrainBoxMuller(x, y);
}
REGRAIN_RANDOM float2 curand_normal2(curandStateMRG32k3a_t *state) {
  float u = curand_uniform(state), angle = curand_uniform(state) * 6.2831855f;
  return regrainBoxMuller(u, angle);
}
REGRAIN_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  float2 a = regrainBoxMuller(x.x, x.y), b = regrainBoxMuller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
REGRAIN_RANDOM double2 curand_normal2_double(curandStateXORWOW_t *state) {
  uint4 x;
  x.x = curand(state);
  x.y = curand(state);
  x.z = curand(state);
  x.w = curand(state);
  return regrainBoxMullerDouble(x);
}
REGRAIN_RANDOM double2 curand_normal2_double(curandStatePhilox4_32_10_t *state) {
  return regrainBoxMullerDouble(curand4(state));
}
REGRAIN_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t *state) {
  double u = curand_uniform_double(state), angle = 2 * curand_uniform_double(state);
  return regrainBoxMullerDouble(u, angle);
}
REGRAIN_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

/* `boxmuller_flag` and `boxmuller_flag_double` say of which distribution the number is that a state
   keeps, if any. */
#define EXTRA_FLAG_NORMAL 1
#define EXTRA_FLAG_LOG_NORMAL 2

/* Returns the second number of the last pair of the same distribution, or the first of a new one.
 */
template <class Number, class MakePair>
REGRAIN_RANDOM Number regrainNextOfPair(int *flag, Number *kept, int distribution,
                                        MakePair makePair) {
  if (*flag == distribution) {
    *flag = 0;
    return *kept;
  }
  auto pair = makePair();
  *flag = distribution;
  *kept = pair.y;
  return pair.x;
}

/* The quantile of the probability (x + 1/2) / range. In the upper half, the distribution is
   mirrored, because numbers near 0 are more accurate than those near 1. The double of the middle of
   64 bits is 0, as in cuRAND. */
REGRAIN_RANDOM float regrainNormal(unsigned int x) {
  bool upper = x >= 0x80000000u;
  float number = regrainNormalQuantile(regrainUniform(upper ? ~x : x));
  return upper ? -number : number;
}
REGRAIN_RANDOM float regrainNormal(unsigned long long x) {
  return regrainNormal((unsigned int)(x >> 32));
}
REGRAIN_RANDOM double regrainNormalDouble(unsigned int x) {
  bool upper = x >= 0x80000000u;
  double number = regrainNormalQuantile((upper ? ~x : x) * regrainPlace32 + regrainPlace32 / 2);
  return upper ? -number : number;
}
REGRAIN_RANDOM double regrainNormalDouble(unsigned long long x) {
  bool upper = x > 0x8000000000000000u;
  double number = regrainNormalQuantile(regrainUniformDouble(upper ? ~x : x));
  return upper ? -number : number;
}

#define REGRAIN_NORMAL_OF_PAIRS(STATE)                                                             \
  REGRAIN_RANDOM float curand_normal(STATE *state) {                                               \
    return regrainNextOfPair(&state->boxmuller_flag, &state->boxmuller_extra, EXTRA_FLAG_NORMAL,   \
                             [state] { return curand_normal2(state); });                           \
  }                                                                                                \
  REGRAIN_RANDOM double curand_normal_double(STATE *state) {                                       \
    return regrainNextOfPair(&state->boxmuller_flag_double, &state->boxmuller_extra_double,        \
                             EXTRA_FLAG_NORMAL, [state] { return curand_normal2_double(state); }); \
  }
#define REGRAIN_NORMAL_BY_INVERSION(RANDOM, STATE)                                                 \
  RANDOM float curand_normal(STATE *state) { return regrainNormal(curand(state)); }                \
  RANDOM double curand_normal_double(STATE *state) { return regrainNormalDouble(curand(state)); }
REGRAIN_NORMAL_OF_PAIRS(curandStateXORWOW_t)
REGRAIN_NORMAL_OF_PAIRS(curandStateMRG32k3a_t)
REGRAIN_NORMAL_OF_PAIRS(curandStatePhilox4_32_10_t)
REGRAIN_NORMAL_BY_INVERSION(REGRAIN_RANDOM_BLOCK, curandStateMtgp32_t)
REGRAIN_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateSobol32_t)
REGRAIN_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateScrambledSobol32_t)
REGRAIN_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateSobol64_t)
REGRAIN_NORMAL_BY_INVERSION(REGRAIN_RANDOM, curandStateScrambledSobol64_t)
#undef REGRAIN_NORMAL_OF_PAIRS
#undef REGRAIN_NORMAL_BY_INVERSION

#endif
