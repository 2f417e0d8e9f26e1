//===- every-function-everywhere.cu - Functions on each target --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of CUDA's documentation that every-function.cu does not name, also for the CPU, and
// on the host where CUDA has them there. The CPU has all of every-function.cu as well, except for
// the counters of a multiprocessor.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -w --targets=cpu -o %t %s
// RUN: timeout 60 %t
// NVIDIA's mathematical functions come from a toolkit; without one, libclc has fewer.
// RUN: %if cuda-toolkit %{ %regrain cc -w -c --targets=compute_70,compute_90 -o %t.gpu.o %s %}
// RUN: sed 's/CALL(__pm[0-3])//g' %S/every-function.cu > %t.cu
// RUN: %regrain cc -w -c --targets=cpu -o %t.all.o %t.cu
#include <cuda_runtime.h>
__global__ void single(float *f, int *i, float *pf) {
  float x = *f;
  int n = *i;
#define ONE(NAME) *pf++ = float(NAME(x));
  ONE(acosf)
  ONE(asinf) ONE(atanf) ONE(ceilf) ONE(cosf) ONE(coshf) ONE(cospif) ONE(cyl_bessel_i0f)
      ONE(cyl_bessel_i1f) ONE(exp10f) ONE(expf) ONE(fabsf) ONE(floorf) ONE(j0f) ONE(j1f) ONE(log10f)
          ONE(logf) ONE(sinf) ONE(sinhf) ONE(sinpif) ONE(sqrtf) ONE(tanf) ONE(tanhf) ONE(y0f)
              ONE(y1f) ONE(__cosf) ONE(__exp10f) ONE(__expf) ONE(__log10f) ONE(__log2f) ONE(__logf)
                  ONE(__sinf) ONE(__tanf) ONE(__tanhf)
#undef ONE
#define TWO(NAME) *pf++ = NAME(x, x);
                      TWO(atan2f) TWO(fmodf) TWO(powf) TWO(rhypotf) TWO(__powf)
#undef TWO
                          *pf++ =
                              frexpf(x, i) + ldexpf(x, n) + modff(x, pf) + jnf(n, x) + ynf(n, x);
  *pf++ = norm3df(x, x, x) + norm4df(x, x, x, x) + rnorm3df(x, x, x) + rnorm4df(x, x, x, x);
  *pf++ = normf(n, f) + rnormf(n, f);
  sincosf(x, pf, pf + 1);
  __sincosf(x, pf + 2, pf + 3);
}

__global__ void doubles(double *d, int n) {
  double x = *d;
  d[1] = norm3d(x, x, x) + norm4d(x, x, x, x) + rnorm3d(x, x, x) + rnorm4d(x, x, x, x);
  d[2] = norm(n, d) + rnorm(n, d) + rhypot(x, x);
}

__global__ void integers(unsigned *u, unsigned long long *ull, int *i) {
  u[0] = __funnelshift_l(u[1], u[2], u[3]) + __funnelshift_lc(u[1], u[2], u[3]);
  u[4] = __funnelshift_r(u[1], u[2], u[3]) + __funnelshift_rc(u[1], u[2], u[3]);
  u[5] = __fns(u[1], u[2], i[0]);
  u[6] = __dp4a(u[1], u[2], u[3]) + __dp2a_lo(u[1], u[2], u[3]) + __dp2a_hi(u[1], u[2], u[3]);
  i[6] = __dp4a(i[1], i[2], i[3]) + __dp2a_lo(i[1], i[2], i[3]) + __dp2a_hi(i[1], i[2], i[3]);
  u[7] = __nv_bswap16((unsigned short)u[1]) + __nv_bswap32(u[2]);
  ull[0] = __nv_bswap64(ull[1]);
}

int main() {
  bool swaps = __nv_bswap16(0x1234) == 0x3412 && __nv_bswap32(0x12345678u) == 0x78563412u &&
               __nv_bswap64(0x123456789abcdef0ull) == 0xf0debc9a78563412ull;
  return swaps && erfinv(0.5) > erfinvf(0.25f) && erfcinv(0.5) > 0 && normcdfinv(0.5) == 0 ? 0 : 1;
}
