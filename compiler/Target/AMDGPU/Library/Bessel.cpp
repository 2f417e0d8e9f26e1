//===- Bessel.cpp - Bessel functions of integer order ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the functions by the recurrence F(k+1) + F(k-1) = 2k/x F(k) (Abramowitz and Stegun,
// 9.1.27) from OCML's orders 0 and 1. Upwards it is stable for Y, and for J while the order does
// not exceed the argument. Beyond that, J is computed downwards, from the continued fraction of
// J(n)/J(n-1) (9.1.73). Single precision is computed in double.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Library/Function.h"

extern "C" {
double __ocml_j0_f64(double);
double __ocml_j1_f64(double);
double __ocml_y0_f64(double);
double __ocml_y1_f64(double);
}

namespace {

/// Returns the function of order n >= 1 from those of orders 0 and 1, upwards.
double upwards(i32 n, double x, double zero, double one) {
  for (i32 k = 1; k < n && __builtin_isfinite(one); ++k) {
    double next = 2.0 * k / x * one - zero;
    zero = one;
    one = next;
  }
  return one;
}

/// Returns J(n)/J(n-1) for n > x > 0 by Lentz's method for 1/(2n/x - 1/(2(n+1)/x - ...)), whose
/// denominators stay above one.
double ratioOfOrders(i32 n, double x) {
  double step = 2 / x, b = n * step, c = b, d = 0, value = b;
  for (i32 k = 1; k < 100000; ++k) {
    b += step;
    c = b - 1 / c;
    d = 1 / (b - d);
    double change = c * d;
    value *= change;
    if (__builtin_fabs(change - 1) < 0x1p-53)
      break;
  }
  return 1 / value;
}

/// Returns J(n) for n > x > 0: the values relative to J(n) are computed down to orders 1 and 0, and
/// the larger of these two determines J(n).
double downwards(i32 n, double x) {
  constexpr double large = 0x1p500;
  double above = ratioOfOrders(n, x), here = 1, result = above;
  for (i32 k = n - 1; k > 0; --k) {
    double below = 2.0 * k / x * here - above;
    above = here;
    here = below;
    if (__builtin_fabs(here) > large) {
      above /= large;
      here /= large;
      result /= large;
    }
  }
  double zero = __ocml_j0_f64(x), one = __ocml_j1_f64(x);
  return __builtin_fabs(zero) >= __builtin_fabs(one) ? result * (zero / here)
                                                     : result * (one / above);
}

} // namespace

extern "C" double __nv_jn(i32 n, double x) {
  if (n < 0 || __builtin_isnan(x))
    return __builtin_nan("");
  // J(n, -x) equals J(n, x), with the opposite sign for odd orders.
  bool negative = (n & 1) && x < 0;
  double size = __builtin_fabs(x), value = 0;
  if (n == 0)
    value = __ocml_j0_f64(size);
  else if (n == 1)
    value = __ocml_j1_f64(size);
  else if (size <= 0x1p-900 || __builtin_isinf(size))
    value = 0;
  else if (n <= size)
    value = upwards(n, size, __ocml_j0_f64(size), __ocml_j1_f64(size));
  else
    value = downwards(n, size);
  return negative ? -value : value;
}

extern "C" double __nv_yn(i32 n, double x) {
  // OCML converts NaN to an integer, so nothing may depend on its result.
  if (n < 0 || __builtin_isnan(x))
    return __builtin_nan("");
  double zero = __ocml_y0_f64(x);
  if (n == 0 || __builtin_isnan(zero))
    return zero;
  return __builtin_isinf(x) ? 0 : upwards(n, x, zero, __ocml_y1_f64(x));
}

extern "C" float __nv_jnf(i32 n, float x) { return float(__nv_jn(n, x)); }
extern "C" float __nv_ynf(i32 n, float x) { return float(__nv_yn(n, x)); }
