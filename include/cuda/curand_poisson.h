//===- curand_poisson.h - Numbers with a Poisson distribution ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of curand_kernel.h. XORWOW, MRG32k3a and Philox multiply uniform numbers (D. Knuth) for
// means below 64, reject numbers of a transformed distribution (W. Hoermann, "The transformed
// rejection method for generating Poisson random variables", 1993) up to 4000, and round normal
// numbers above. The other generators use one number each: they invert the distribution below
// 500, and round a normal number otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_
#pragma GCC system_header

#include "curand_normal.h"

REGRAIN_RANDOM unsigned int regrainPoissonOfNormal(double normal, double lambda) {
  double number = ::sqrt(lambda) * normal + lambda + 0.5;
  return number > 0 ? (unsigned int)number : 0;
}

/* The product of k uniform numbers falls below exp(-lambda) with the probability of k events. The
   product here begins with exp(lambda). */
template <class State>
REGRAIN_RANDOM unsigned int regrainPoissonByProducts(State *state, float lambda) {
  unsigned int count = 0;
  for (float product = ::expf(lambda) * curand_uniform(state); product > 1.0f; ++count)
    product *= curand_uniform(state);
  return count;
}

/* Hoermann's algorithm PTRS. Two uniform numbers make a proposal, most of which the first test
   accepts. */
template <class State>
REGRAIN_RANDOM unsigned int regrainPoissonByRejection(State *state, double lambda) {
  const double b = 0.931 + 2.53 * ::sqrt(lambda), a = -0.059 + 0.02483 * b;
  const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4), limit = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    double u = curand_uniform(state) - 0.5, v = curand_uniform(state);
    double distance = 0.5 - ::fabs(u);
    double k = ::floor((2 * a / distance + b) * u + lambda + 0.43);
    if (distance >= 0.07 && v <= limit)
      return (unsigned int)k;
    if (k < 0 || (distance < 0.013 && v > distance))
      continue;
    double proposed = ::log(v * inverseAlpha / (a / (distance * distance) + b));
    if (proposed <= k * ::log(lambda) - lambda - regrainLogFactorial(k))
      return (unsigned int)k;
  }
}

template <class State> REGRAIN_RANDOM unsigned int regrainPoisson(State *state, double lambda) {
  if (lambda < 64)
    return regrainPoissonByProducts(state, (float)lambda);
  if (lambda > 4000)
    return regrainPoissonOfNormal(curand_normal_double(state), lambda);
  return regrainPoissonByRejection(state, lambda);
}

/* Returns the first number at which the distribution function reaches the probability. Its terms
   have exp(lambda - scale) as a factor, so that none underflows. */
REGRAIN_RANDOM unsigned int regrainPoissonByInversion(double probability, double lambda) {
  const double scale = lambda < 600 ? lambda : 600;
  double wanted = probability * ::exp(scale), term = ::exp(scale - lambda), sum = term;
  unsigned int k = 0;
  while (sum < wanted && term > 0) {
    ++k;
    term *= lambda / k;
    sum += term;
    /* The sum does not change any more: the probability is rounded to 1. */
    if (k > lambda && sum + term == sum)
      break;
  }
  return k;
}
REGRAIN_RANDOM unsigned int regrainPoissonOfOne(unsigned int x, double lambda) {
  return lambda < 500 ? regrainPoissonByInversion(x * regrainPlace32 + regrainPlace32 / 2, lambda)
                      : regrainPoissonOfNormal(regrainNormalDouble(x), lambda);
}
REGRAIN_RANDOM unsigned int regrainPoissonOfOne(unsigned long long x, double lambda) {
  return lambda < 500 ? regrainPoissonByInversion(regrainUniformDouble(x), lambda)
                      : regrainPoissonOfNormal(regrainNormalDouble(x), lambda);
}

#define REGRAIN_POISSON(STATE)                                                                     \
  REGRAIN_RANDOM unsigned int curand_poisson(STATE *state, double lambda) {                        \
    return regrainPoisson(state, lambda);                                                          \
  }
#define REGRAIN_POISSON_OF_ONE(RANDOM, STATE)                                                      \
  RANDOM unsigned int curand_poisson(STATE *state, double lambda) {                                \
    return regrainPoissonOfOne(curand(state), lambda);                                             \
  }
REGRAIN_POISSON(curandStateXORWOW_t)
REGRAIN_POISSON(curandStateMRG32k3a_t)
REGRAIN_POISSON(curandStatePhilox4_32_10_t)
REGRAIN_POISSON_OF_ONE(REGRAIN_RANDOM_BLOCK, curandStateMtgp32_t)
REGRAIN_POISSON_OF_ONE(REGRAIN_RANDOM, curandStateSobol32_t)
REGRAIN_POISSON_OF_ONE(REGRAIN_RANDOM, curandStateScrambledSobol32_t)
REGRAIN_POISSON_OF_ONE(REGRAIN_RANDOM, curandStateSobol64_t)
REGRAIN_POISSON_OF_ONE(REGRAIN_RANDOM, curandStateScrambledSobol64_t)
#undef REGRAIN_POISSON
#undef REGRAIN_POISSON_OF_ONE

REGRAIN_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda) {
  uint4 four;
  if (lambda > 4000) {
    double4 normal = curand_normal4_double(state);
    four.x = regrainPoissonOfNormal(normal.x, lambda);
    four.y = regrainPoissonOfNormal(normal.y, lambda);
    four.z = regrainPoissonOfNormal(normal.z, lambda);
    four.w = regrainPoissonOfNormal(normal.w, lambda);
    return four;
  }
  four.x = regrainPoisson(state, lambda);
  four.y = regrainPoisson(state, lambda);
  four.z = regrainPoisson(state, lambda);
  four.w = regrainPoisson(state, lambda);
  return four;
}

#endif
