/*===- Math.h - Functions that SLEEF supplies ----------------------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A call of regrain_sleef_<name> becomes SLEEF's deterministic scalar function
|* of the architecture, with its vector forms attached (MathCalls.cpp): lanes and
|* tail compute the same bits. `f` marks single precision.
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_CPU_LIBRARY_MATH_H
#define REGRAIN_CPU_LIBRARY_MATH_H

#include "compiler/Target/CPU/Library/Machine.h"

#define UNARY(name)                                                                                \
  REGRAIN_CONST double regrain_sleef_##name(double);                                               \
  REGRAIN_CONST float regrain_sleef_##name##f(float);
#define BINARY(name)                                                                               \
  REGRAIN_CONST double regrain_sleef_##name(double, double);                                       \
  REGRAIN_CONST float regrain_sleef_##name##f(float, float);
#include "compiler/Target/CPU/Library/SleefFunctions.def"

/* The rounding mode of an operation that names one (values of fenv.h on x86). */
enum Rounding { ROUND_NEAREST = 0, ROUND_DOWN = 0x400, ROUND_UP = 0x800, ROUND_ZERO = 0xc00 };
int fesetround(int);

/* `expression` computed from `volatile` operands under a rounding mode. */
#define ROUNDED(type, mode, expression)                                                            \
  ({                                                                                               \
    fesetround(mode);                                                                              \
    volatile type rounded_ = (expression);                                                         \
    fesetround(ROUND_NEAREST);                                                                     \
    rounded_;                                                                                      \
  })

#endif
