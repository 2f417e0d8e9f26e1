//===- cuComplex.h - Complex numbers ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products follow the schoolbook formula; quotients and magnitudes are scaled
// against overflow. Infinities are not rescued.
//
//===----------------------------------------------------------------------===//
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#pragma GCC system_header

#include "vector_functions.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define REGRAIN_COMPLEX_FUNCTION static __inline__ __host__ __device__

/* F is the suffix of the names: f for float, none for double. */
#define REGRAIN_COMPLEX(TYPE, REAL, F, MAKE, FABS, HYPOT)                        \
  REGRAIN_COMPLEX_FUNCTION TYPE MAKE(REAL re, REAL im) {                       \
    TYPE c = {re, im};                                                         \
    return c;                                                                  \
  }                                                                            \
  REGRAIN_COMPLEX_FUNCTION REAL cuCreal##F(TYPE a) { return a.x; }             \
  REGRAIN_COMPLEX_FUNCTION REAL cuCimag##F(TYPE a) { return a.y; }             \
  REGRAIN_COMPLEX_FUNCTION REAL cuCabs##F(TYPE a) { return HYPOT(a.x, a.y); }  \
  REGRAIN_COMPLEX_FUNCTION TYPE cuConj##F(TYPE a) { return MAKE(a.x, -a.y); }  \
  REGRAIN_COMPLEX_FUNCTION TYPE cuCadd##F(TYPE a, TYPE b) {                    \
    return MAKE(a.x + b.x, a.y + b.y);                                         \
  }                                                                            \
  REGRAIN_COMPLEX_FUNCTION TYPE cuCsub##F(TYPE a, TYPE b) {                    \
    return MAKE(a.x - b.x, a.y - b.y);                                         \
  }                                                                            \
  REGRAIN_COMPLEX_FUNCTION TYPE cuCmul##F(TYPE a, TYPE b) {                    \
    return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                 \
  }                                                                            \
  REGRAIN_COMPLEX_FUNCTION TYPE cuCfma##F(TYPE a, TYPE b, TYPE c) {            \
    return cuCadd##F(cuCmul##F(a, b), c);                                      \
  }                                                                            \
  REGRAIN_COMPLEX_FUNCTION TYPE cuCdiv##F(TYPE a, TYPE b) {                    \
    REAL scale = 1 / (FABS(b.x) + FABS(b.y));                                  \
    TYPE n = MAKE(a.x * scale, a.y * scale);                                   \
    TYPE d = MAKE(b.x * scale, b.y * scale);                                   \
    REAL inverse = 1 / (d.x * d.x + d.y * d.y);                                \
    return MAKE((n.x * d.x + n.y * d.y) * inverse,                             \
                (n.y * d.x - n.x * d.y) * inverse);                            \
  }

REGRAIN_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, fabsf, hypotf)
REGRAIN_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, fabs, hypot)

#undef REGRAIN_COMPLEX

REGRAIN_COMPLEX_FUNCTION cuComplex make_cuComplex(float re, float im) {
  return make_cuFloatComplex(re, im);
}
REGRAIN_COMPLEX_FUNCTION cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex((double)a.x, (double)a.y);
}
REGRAIN_COMPLEX_FUNCTION cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}

#undef REGRAIN_COMPLEX_FUNCTION

#endif
