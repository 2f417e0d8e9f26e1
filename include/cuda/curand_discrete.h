//===- curand_discrete.h - Tables of discrete distributions -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A discrete distribution, as curandCreatePoissonDistribution makes it. The pointers whose
// names begin with `host_` are for the library's generators on the host.
//
//===----------------------------------------------------------------------===//
#ifndef CURANDDISCRETE_H_
#define CURANDDISCRETE_H_
#pragma GCC system_header

#include "curand.h"

struct curandDistributionShift_st {
  curandDistribution_t probability;
  curandDistribution_t host_probability;
  unsigned int shift;
  unsigned int length;
  unsigned int host_gen;
};

/* A table of columns of equal width: column j has value j up to the height V[j], and K[j] above. */
struct curandHistogramM2_st {
  curandHistogramM2V_t V;
  curandHistogramM2V_t host_V;
  curandHistogramM2K_t K;
  curandHistogramM2K_t host_K;
  unsigned int host_gen;
};

struct curandDistributionM2Shift_st {
  curandHistogramM2_t histogram;
  curandHistogramM2_t host_histogram;
  unsigned int shift;
  unsigned int length;
  unsigned int host_gen;
};

struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_t self_host_ptr;
  curandDistributionM2Shift_t M2;
  curandDistributionM2Shift_t host_M2;
  double stddev;
  double mean;
  curandMethod_t method;
  unsigned int host_gen;
};

#endif
