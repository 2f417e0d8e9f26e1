//===- directed_rounding.cu - Rounding in a direction -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations and conversions are compared with the host's rounding modes, bit for bit.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cfenv>
#include <cstring>

constexpr int threads = 64, blocks = 4, total = threads * blocks;
using u32 = unsigned;

/// These are the modes of CUDA's rn, rz, rd and ru.
constexpr int hostModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/// Returns the result of `operation`, whose operands are volatile, in a mode of the host's.
template <class T, class Operation> T rounded(int mode, Operation operation) {
  fesetround(mode);
  volatile T result = operation();
  fesetround(FE_TONEAREST);
  return result;
}

/// Expects the same bits, or two NaNs.
template <class T> void expectBits(const char *what, long index, T got, T wanted) {
  bool same = !memcmp(&got, &wanted, sizeof(T)) || (got != got && wanted != wanted);
  expect(same, what, index, double(got), double(wanted));
}

/// The functions of one mode of rounding.
struct Rounded {
  float add, sub, mul, div, rcp, sqrt, fma;
  float ofInt, ofWord, ofDouble, ofLong;
  double addD, subD, mulD, divD, sqrtD, fmaD, ofLongD;
  int toInt;
  u32 toWord;
  long long toLong;
};

#define ROUND(MODE)                                                                      \
  __device__ void round_##MODE(Rounded &r, float a, float b, double c, double d, int i) { \
    r = {__fadd_##MODE(a, b),  __fsub_##MODE(a, b),      __fmul_##MODE(a, b),             \
         __fdiv_##MODE(a, b),  __frcp_##MODE(a),         __fsqrt_##MODE(fabsf(a)),        \
         __fmaf_##MODE(a, b, a), __int2float_##MODE(i),  __uint2float_##MODE(u32(i)),     \
         __double2float_##MODE(c), __ll2float_##MODE((long long)i << 17 | 5),             \
         __dadd_##MODE(c, d),  __dsub_##MODE(c, d),      __dmul_##MODE(c, d),             \
         __ddiv_##MODE(c, d),  __dsqrt_##MODE(fabs(c)),  __fma_##MODE(c, d, c),           \
         __ll2double_##MODE((long long)i << 31 | 3),                                      \
         __float2int_##MODE(a), __float2uint_##MODE(b),  __double2ll_##MODE(c)};          \
  }
ROUND(rn)
ROUND(rz)
ROUND(rd)
ROUND(ru)

__global__ void roundAll(Rounded *out, const float *in, const double *wide, const int *ints) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = in[total + i];
  double c = wide[i], d = wide[total + i];
  round_rn(out[4 * i], a, b, c, d, ints[i]);
  round_rz(out[4 * i + 1], a, b, c, d, ints[i]);
  round_rd(out[4 * i + 2], a, b, c, d, ints[i]);
  round_ru(out[4 * i + 3], a, b, c, d, ints[i]);
}

template <class T, class F> T clamped(F rounded, T low, T high) {
  return rounded <= F(low) ? low : rounded >= F(high) ? high : T(rounded);
}

Rounded onHost(int m, float a0, float b0, double c0, double d0, int i0) {
  volatile float a = a0, b = b0;
  volatile double c = c0, d = d0;
  volatile int i = i0;
  volatile float one = 1;
  Rounded r;
  r.add = rounded<float>(m, [&] { return a + b; });
  r.sub = rounded<float>(m, [&] { return a - b; });
  r.mul = rounded<float>(m, [&] { return a * b; });
  r.div = rounded<float>(m, [&] { return a / b; });
  r.rcp = rounded<float>(m, [&] { return one / a; });
  r.sqrt = rounded<float>(m, [&] { return sqrtf(fabsf(a)); });
  r.fma = rounded<float>(m, [&] { return fmaf(a, b, a); });
  r.ofInt = rounded<float>(m, [&] { return float(i); });
  r.ofWord = rounded<float>(m, [&] { volatile long long w = u32(i); return float(w); });
  r.ofDouble = rounded<float>(m, [&] { return float(c); });
  r.ofLong = rounded<float>(m, [&] {
    volatile long long w = (long long)i << 17 | 5;
    return float(w);
  });
  r.addD = rounded<double>(m, [&] { return c + d; });
  r.subD = rounded<double>(m, [&] { return c - d; });
  r.mulD = rounded<double>(m, [&] { return c * d; });
  r.divD = rounded<double>(m, [&] { return c / d; });
  r.sqrtD = rounded<double>(m, [&] { return sqrt(fabs(c)); });
  r.fmaD = rounded<double>(m, [&] { return fma(c, d, c); });
  r.ofLongD = rounded<double>(m, [&] {
    volatile long long w = (long long)i << 31 | 3;
    return double(w);
  });
  double whole = rounded<double>(m, [&] { return nearbyint(double(a)); });
  r.toInt = clamped(whole, -0x7fffffff - 1, 0x7fffffff);
  r.toWord = clamped(rounded<double>(m, [&] { return nearbyint(double(b)); }), 0u, ~0u);
  r.toLong = clamped(rounded<double>(m, [&] { return nearbyint(c); }), -0x7fffffffffffffffll - 1,
                     0x7fffffffffffffffll);
  return r;
}

void checkRounding() {
  std::vector<float> in(2 * total);
  std::vector<double> wide(2 * total);
  std::vector<int> ints(total);
  u32 state = 2463534242u;
  auto next = [&] { return state ^= state << 13, state ^= state >> 17, state ^= state << 5; };
  for (int i = 0; i < 2 * total; ++i) {
    in[i] = ldexpf(float(int(next())), int(next() % 40) - 40);
    wide[i] = ldexp(double(int(next())) * (1 + next() * 0x1p-53), int(next() % 60) - 40);
  }
  in[0] = -0.0f, in[total] = 0.0f, in[1] = 1e38f, in[total + 1] = 3e38f;
  in[2] = 1e-38f, in[total + 2] = 0.7f, in[3] = 1.5e-45f, in[total + 3] = 2.5f;
  wide[4] = 1e300, wide[total + 4] = 1e10, wide[5] = 3e-310, wide[total + 5] = 0.3;
  for (int &value : ints)
    value = int(next());
  DeviceArray<float> input(in);
  DeviceArray<double> inputWide(wide);
  DeviceArray<int> inputInts(ints);
  DeviceArray<Rounded> out(4 * total);
  roundAll<<<blocks, threads>>>(out, input, inputWide, inputInts);
  auto got = out.host();
  for (int i = 0; i < 4 * total; ++i) {
    int k = i / 4;
    Rounded g = got[i],
            w = onHost(hostModes[i % 4], in[k], in[total + k], wide[k], wide[total + k], ints[k]);
#define SAME(FIELD) expectBits(#FIELD, i, g.FIELD, w.FIELD)
    SAME(add), SAME(sub), SAME(mul), SAME(div), SAME(rcp), SAME(sqrt), SAME(fma), SAME(ofInt);
    SAME(ofWord), SAME(ofDouble), SAME(ofLong), SAME(addD), SAME(subD), SAME(mulD), SAME(divD);
    SAME(sqrtD), SAME(fmaD), SAME(ofLongD), SAME(toInt), SAME(toWord), SAME(toLong);
  }
}

int main() {
  checkRounding();
  return verdict("directed_rounding");
}
