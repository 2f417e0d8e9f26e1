//===- curand_uniform.h - Uniformly distributed numbers ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers above 0 and up to 1: a random integer and one half, in units of the integers' range.
// Part of curand_kernel.h. XORWOW and the pairs and fours of Philox make 53 bits of a double
// from two integers; where a generator's numbers must not be skipped, a double has 32 bits.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_
#pragma GCC system_header

#include "curand_mtgp32_kernel.h"
#include "curand_philox4x32_x.h"
#include "regrain_curand_mrg32k3a.h"
#include "regrain_curand_sobol.h"
#include "regrain_curand_xorwow.h"

REGRAIN_RANDOM float regrainUniform(unsigned int x) {
  return (float)x * (float)regrainPlace32 + (float)(regrainPlace32 / 2);
}
REGRAIN_RANDOM float regrainUniform(unsigned long long x) {
  return regrainUniform((unsigned int)(x >> 32));
}
REGRAIN_RANDOM double regrainUniformDouble(unsigned int x) {
  return x * regrainPlace32 + regrainPlace32;
}
REGRAIN_RANDOM double regrainUniformDouble(unsigned long long x) {
  return (double)(x >> 11) * regrainPlace53 + regrainPlace53 / 2;
}

/* 53 bits of two integers, the first of which is the lower one. */
REGRAIN_RANDOM double regrainUniformDouble(unsigned int x, unsigned int y) {
  return (double)(x ^ (unsigned long long)y << 21) * regrainPlace53 + regrainPlace53 / 2;
}

#define REGRAIN_UNIFORM(RANDOM, STATE)                                                             \
  RANDOM float curand_uniform(STATE *state) { return regrainUniform(curand(state)); }
#define REGRAIN_UNIFORM_DOUBLE(RANDOM, STATE)                                                      \
  RANDOM double curand_uniform_double(STATE *state) { return regrainUniformDouble(curand(state)); }
REGRAIN_UNIFORM(REGRAIN_RANDOM, curandStateXORWOW_t)
REGRAIN_UNIFORM(REGRAIN_RANDOM, curandStatePhilox4_32_10_t)
REGRAIN_UNIFORM_DOUBLE(REGRAIN_RANDOM, curandStatePhilox4_32_10_t)
REGRAIN_UNIFORM(REGRAIN_RANDOM, curandStateSobol32_t)
REGRAIN_UNIFORM_DOUBLE(REGRAIN_RANDOM, curandStateSobol32_t)
REGRAIN_UNIFORM(REGRAIN_RANDOM, curandStateScrambledSobol32_t)
REGRAIN_UNIFORM_DOUBLE(REGRAIN_RANDOM, curandStateScrambledSobol32_t)
REGRAIN_UNIFORM(REGRAIN_RANDOM, curandStateSobol64_t)
REGRAIN_UNIFORM_DOUBLE(REGRAIN_RANDOM, curandStateSobol64_t)
REGRAIN_UNIFORM(REGRAIN_RANDOM, curandStateScrambledSobol64_t)
REGRAIN_UNIFORM_DOUBLE(REGRAIN_RANDOM, curandStateScrambledSobol64_t)
REGRAIN_UNIFORM(REGRAIN_RANDOM_BLOCK, curandStateMtgp32_t)
REGRAIN_UNIFORM_DOUBLE(REGRAIN_RANDOM_BLOCK, curandStateMtgp32_t)
#undef REGRAIN_UNIFORM
#undef REGRAIN_UNIFORM_DOUBLE

REGRAIN_RANDOM double curand_uniform_double(curandStateXORWOW_t *state) {
  unsigned int x = curand(state), y = curand(state);
  return regrainUniformDouble(x, y);
}

/* The factor is the inverse of the larger modulus. */
REGRAIN_RANDOM double curand_uniform_double(curandStateMRG32k3a_t *state) {
  return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
REGRAIN_RANDOM float curand_uniform(curandStateMRG32k3a_t *state) {
  return (float)curand_uniform_double(state);
}

REGRAIN_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return make_float4(regrainUniform(x.x), regrainUniform(x.y), regrainUniform(x.z),
                     regrainUniform(x.w));
}
REGRAIN_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
  uint4 x = curand4(state);
  return make_double2(regrainUniformDouble(x.x, x.y), regrainUniformDouble(x.z, x.w));
}
REGRAIN_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
  double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

#endif
