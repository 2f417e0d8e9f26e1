//===- math_functions.cu - The math library ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions are compared with the host's double precision, with the error
// bounds of the CUDA C++ Programming Guide in units of the last place, doubled.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int functions = 28, samples = 64;

__host__ __device__ inline double evaluate(int function, double x) {
  switch (function) {
  case 0: return sin(x);
  case 1: return cos(x);
  case 2: return tan(x);
  case 3: return exp(x);
  case 4: return exp2(x);
  case 5: return log(fabs(x));
  case 6: return log2(fabs(x));
  case 7: return log10(fabs(x));
  case 8: return sqrt(fabs(x));
  case 9: return cbrt(x);
  case 10: return atan(x);
  case 11: return tanh(x);
  case 12: return erf(x);
  case 13: return sinh(x);
  case 14: return cosh(x);
  case 15: return log1p(fabs(x));
  case 16: return expm1(x);
  case 17: return asinh(x);
  case 18: return pow(fabs(x), 1.7);
  case 19: return atan2(x, 0.7);
  case 20: return hypot(x, 2.5);
  case 21: return fmod(x, 0.9);
  case 22: return floor(x) + ceil(x) + trunc(x) + rint(x) + round(x);
  case 23: return rsqrt(fabs(x));
  case 24: return fma(x, x, -1.0);
  case 25: return erfc(x);
  case 26: return asin(x / 8.0);
  default: return acos(x / 8.0);
  }
}

__host__ __device__ inline float evaluate(int function, float x) {
  switch (function) {
  case 0: return sinf(x);
  case 1: return cosf(x);
  case 2: return tanf(x);
  case 3: return expf(x);
  case 4: return exp2f(x);
  case 5: return logf(fabsf(x));
  case 6: return log2f(fabsf(x));
  case 7: return log10f(fabsf(x));
  case 8: return sqrtf(fabsf(x));
  case 9: return cbrtf(x);
  case 10: return atanf(x);
  case 11: return tanhf(x);
  case 12: return erff(x);
  case 13: return sinhf(x);
  case 14: return coshf(x);
  case 15: return log1pf(fabsf(x));
  case 16: return expm1f(x);
  case 17: return asinhf(x);
  case 18: return powf(fabsf(x), 1.7f);
  case 19: return atan2f(x, 0.7f);
  case 20: return hypotf(x, 2.5f);
  case 21: return fmodf(x, 0.9f);
  case 22: return floorf(x) + ceilf(x) + truncf(x) + rintf(x) + roundf(x);
  case 23: return rsqrtf(fabsf(x));
  case 24: return fmaf(x, x, -1.0f);
  case 25: return erfcf(x);
  case 26: return asinf(x / 8.0f);
  default: return acosf(x / 8.0f);
  }
}

template <class T> __global__ void kernel(T *out, const T *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < functions * samples)
    out[i] = evaluate(i / samples, in[i % samples]);
}

template <class T> void run(const char *what, double lastPlace) {
  std::vector<T> in(samples);
  for (int i = 0; i < samples; ++i)
    in[i] = T((i - 31.5) * 0.2371);
  DeviceArray<T> input(in), out(functions * samples);
  kernel<<<(functions * samples + 127) / 128, 128>>>(static_cast<T *>(out),
                                                     static_cast<const T *>(input));
  auto got = out.host();
  for (int i = 0; i < functions * samples; ++i) {
    T x = in[i % samples];
    double wanted = sizeof(T) == 4 ? double(evaluate(i / samples, x))
                                   : evaluate(i / samples, double(x));
    expect(std::fabs(got[i] - wanted) <= 16 * lastPlace * std::fabs(wanted), what, i, got[i],
           wanted);
  }
}

// Near the largest numbers, a square or a quotient is larger than the result.
template <class T> __host__ __device__ inline T evaluateLarge(int function, T x) {
  switch (function) {
  case 0: return log1p(x);
  case 1: return asinh(-x);
  case 2: return acosh(x);
  case 3: return fmod(x, T(0.7));
  case 4: return remainder(-x, T(0.7));
  case 5: return sinh(log(x));
  default: return cosh(-log(x));
  }
}

constexpr int largeFunctions = 7;

template <class T> __global__ void large(T *out, const T *in) {
  out[threadIdx.x] = evaluateLarge(threadIdx.x, in[0]);
}

template <class T> void runLarge(const char *what, T x, double bound) {
  DeviceArray<T> in(std::vector<T>{x}), out(largeFunctions);
  large<T><<<1, largeFunctions>>>(out, in);
  auto got = out.host();
  for (int i = 0; i < largeFunctions; ++i) {
    T wanted = evaluateLarge(i, x);
    expect(std::fabs(got[i] - wanted) <= bound * std::fabs(wanted), what, i, got[i], wanted);
  }
}

// Functions that end in a product, in sums.
__host__ __device__ inline float evaluateSum(int function, float x) {
  switch (function) {
  case 0: return 1 / (1 + expf(-x));
  case 1: return 0.25f - exp10f(x);
  case 2: return expf(x) + exp10f(x / 4);
  default: return expf(x) + x * x;
  }
}

__global__ void sums(float *out, const float *in) {
  out[threadIdx.x] = evaluateSum(threadIdx.x / 8, in[threadIdx.x % 8]);
}

void runSums() {
  std::vector<float> in = {-3, -1.1f, -0.3f, 0, 0.7f, 1.9f, 2.3f, 4};
  DeviceArray<float> input(in), out(32);
  sums<<<1, 32>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < 32; ++i) {
    float wanted = evaluateSum(i / 8, in[i % 8]);
    expect(std::fabs(got[i] - wanted) <= 1e-6 * (1 + std::fabs(wanted)), "sums", i, got[i], wanted);
  }
}

__global__ void integers(int *out) {
  int i = 0;
  out[i++] = __popc(0xf0f0);
  out[i++] = __clz(1 << 20);
  out[i++] = __ffs(0x80);
  out[i++] = int(__brev(1u) >> 31);
  out[i++] = int(__umulhi(0x80000000u, 6u));
  out[i++] = __mulhi(-0x40000000, 8);
  out[i++] = int(__byte_perm(0x33221100u, 0x77665544u, 0x0426u));
  out[i++] = __popcll(0xff00ff00ff00ff00ull);
  out[i++] = __clzll(1ll << 40);
  out[i++] = __float_as_int(1.0f);
  out[i++] = __dp4a(0x01020304, 0x01010101, 5);
  out[i++] = int(__funnelshift_l(0x80000000u, 1u, 4));
  out[i++] = __float2int_rn(2.5f) * 10 + __float2int_ru(2.1f);
  out[i++] = min(3, -4) + int(max(3u, 9)) + int(min(1.5f, 2.5));
  out[i++] = int(__saturatef(7.0f)) + abs(-5) + int(__sad(3, 10, 1u));
  out[i++] = int(__double2hiint(1.0) == 0x3ff00000);
}

int main() {
  run<float>("float", 0x1p-23);
  run<double>("double", 0x1p-52);
  // The logarithm's last place is multiplied by 90 and 710 in the exponential's result.
  runSums();
  runLarge<float>("large float", 3.2e38f, 128 * 0x1p-23);
  runLarge<double>("large double", 1.7e308, 1024 * 0x1p-52);
  DeviceArray<int> out(16);
  integers<<<1, 1>>>(out);
  auto got = out.host();
  const int wanted[16] = {8,  11, 8, 1, 3, -2, 0, 32, 23, 0x3f800000,
                          15, 24, 23, 6, 14, 1};
  for (int i = 0; i < 16; ++i)
    if (i != 6)
      expectEqual("integer", i, got[i], wanted[i]);
  expectEqual("byte_perm", 6, unsigned(got[6]), 0x00442266u);
  return verdict("math_functions");
}
