//===- by_hand.h - Kernels tuned by hand, to compare with -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of regrain/kernels.h as somebody tunes them by hand for one GPU, with the
// same results but for the order of sums. They are no part of the library: they show what
// the plain kernels should reach. Numbers are __half, widths are multiples of 128, and
// pointers are aligned to 16 bytes; everything else is REGRAIN_INVALID_VALUE.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_KERNELS_BY_HAND_H
#define REGRAIN_KERNELS_BY_HAND_H

#include "regrain/kernels.h"

extern "C" {

/// Rows have at most 16384 columns; there is a residual.
RegrainStatus regrainByHandRmsNormFp8(void *out, float *scales, const void *input, void *residual,
                                      const void *weight, int64_t rows, int64_t columns,
                                      float epsilon, RegrainScaling scaling, RegrainStream stream);

/// SiLU. Rows have at most 16384 columns if they have one scale each.
RegrainStatus regrainByHandSiluAndMulFp8(void *out, float *scales, const void *input, int64_t rows,
                                         int64_t columns, RegrainScaling scaling,
                                         RegrainStream stream);

} // extern "C"

#endif
