//===- curand_discrete2.h - Numbers with a discrete distribution *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of curand_kernel.h. One random number selects a column of the distribution's table, and
// decides between the two values of the column (G. Marsaglia). Without a table, a normal number
// is rounded.
//
//===----------------------------------------------------------------------===//
#ifndef CURAND_DISCRETE_H_
#define CURAND_DISCRETE_H_
#pragma GCC system_header

#include "curand_discrete.h"
#include "curand_normal.h"

template <class Word>
REGRAIN_RANDOM unsigned int regrainDiscreteOfTable(Word x,
                                                   curandDiscreteDistribution_t distribution) {
  curandDistributionM2Shift_t table = distribution->M2;
  double u = regrainUniformDouble(x);
  unsigned int column = (unsigned int)::floor(table->length * u);
  if (column >= table->length)
    column = table->length - 1;
  return u < table->histogram->V[column] ? table->shift + column
                                         : table->shift + table->histogram->K[column];
}

REGRAIN_RANDOM unsigned int regrainDiscreteOfNormal(double normal,
                                                    curandDiscreteDistribution_t distribution) {
  return (unsigned int)(distribution->stddev * normal + distribution->mean + 0.5);
}

#define REGRAIN_DISCRETE(RANDOM, STATE)                                                            \
  RANDOM unsigned int curand_discrete(STATE *state,                                                \
                                      curandDiscreteDistribution_t discrete_distribution) {        \
    if (discrete_distribution->method == CURAND_M2)                                                \
      return regrainDiscreteOfTable(curand(state), discrete_distribution);                         \
    return regrainDiscreteOfNormal(curand_normal_double(state), discrete_distribution);            \
  }
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStateXORWOW_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStateMRG32k3a_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStatePhilox4_32_10_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM_BLOCK, curandStateMtgp32_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStateSobol32_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStateScrambledSobol32_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStateSobol64_t)
REGRAIN_DISCRETE(REGRAIN_RANDOM, curandStateScrambledSobol64_t)
#undef REGRAIN_DISCRETE

REGRAIN_RANDOM uint4 curand_discrete4(curandStatePhilox4_32_10_t *state,
                                      curandDiscreteDistribution_t discrete_distribution) {
  uint4 four;
  if (discrete_distribution->method == CURAND_M2) {
    uint4 x = curand4(state);
    four.x = regrainDiscreteOfTable(x.x, discrete_distribution);
    four.y = regrainDiscreteOfTable(x.y, discrete_distribution);
    four.z = regrainDiscreteOfTable(x.z, discrete_distribution);
    four.w = regrainDiscreteOfTable(x.w, discrete_distribution);
    return four;
  }
  double4 normal = curand_normal4_double(state);
  four.x = regrainDiscreteOfNormal(normal.x, discrete_distribution);
  four.y = regrainDiscreteOfNormal(normal.y, discrete_distribution);
  four.z = regrainDiscreteOfNormal(normal.z, discrete_distribution);
  four.w = regrainDiscreteOfNormal(normal.w, discrete_distribution);
  return four;
}

#endif
