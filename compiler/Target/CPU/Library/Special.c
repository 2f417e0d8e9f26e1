/*===- Special.c - Inverse erf, Bessel functions ------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The functions of libdevice that neither SLEEF nor libm has. The header that the
|* host uses as well computes them. Single precision is rounded from double.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Math.h"

#define REGRAIN_LIBM(NAME) regrain_sleef_##NAME
#include "include/cuda/regrain_special_functions.h"

#define SPECIAL(name, function)                                                                    \
  REGRAIN_INLINE double __nv_##name(double a) { return function(a); }                              \
  REGRAIN_INLINE float __nv_##name##f(float a) { return (float)function(a); }
SPECIAL(erfinv, regrainErfinv)
SPECIAL(erfcinv, regrainErfcinv)
SPECIAL(erfcx, regrainErfcx)
SPECIAL(normcdfinv, regrainNormcdfinv)
SPECIAL(cyl_bessel_i0, regrainBesselI0)
SPECIAL(cyl_bessel_i1, regrainBesselI1)
