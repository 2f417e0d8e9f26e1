//===- special_functions.cu - Inverse erf, Bessel functions -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compute CUDA's functions that the C library does not have, and so does the host except
// for the Bessel functions. The results were computed with 40 digits; the error bounds are those of
// the CUDA C++ Programming Guide, in units of the last place.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

enum class Function { erfinv, erfcinv, erfcx, normcdfinv, cyl_bessel_i0, cyl_bessel_i1 };

struct Known {
  Function function;
  double x, result;
};

const std::vector<Known> known = {
    {Function::erfinv, 0x1.999999999999ap-4, 0x1.6bf442539fd74p-4},
    {Function::erfinv, -0x1p-1, -0x1.e861fbb24c00ap-2},
    {Function::erfinv, 0x1.8p-1, 0x1.a07890f6b2ba1p-1},
    {Function::erfinv, 0x1.ff7ced916872bp-1, 0x1.29d311405cdb4p+1},
    {Function::erfinv, -0x1.fffffffffep-1, -0x1.4347bf36fbae8p+2},
    {Function::erfinv, 0x1.79ca10c924223p-67, 0x1.4ece9be5f16acp-67},
    {Function::erfcinv, 0x1.999999999999ap-4, 0x1.29c014677065p+0},
    {Function::erfcinv, 0x1p-1, 0x1.e861fbb24c00ap-2},
    {Function::erfcinv, 0x1.8p+0, -0x1.e861fbb24c00ap-2},
    {Function::erfcinv, 0x1.b7cdfd9d7bdbbp-34, 0x1.24a92a0d51497p+2},
    {Function::erfcinv, 0x1.56e1fc2f8f359p-997, 0x1.a359fd2c5e942p+4},
    {Function::erfcinv, 0x1.00000004p+0, -0x1.c5bf891b4ef6bp-31},
    {Function::erfcx, -0x1.4p+2, 0x1.0c3d39209549dp+37},
    {Function::erfcx, -0x1p-1, 0x1.f3cde5a30aa93p+0},
    {Function::erfcx, 0x1p-1, 0x1.3b3bc3c98b0f3p-1},
    {Function::erfcx, 0x1.8p+1, 0x1.6e9827d229d2dp-3},
    {Function::erfcx, 0x1.88p+4, 0x1.78faca60fd196p-6},
    {Function::erfcx, 0x1.86ap+16, 0x1.7a9f084b432a7p-18},
    {Function::normcdfinv, 0x1.999999999999ap-4, -0x1.4813c36e26d32p+0},
    {Function::normcdfinv, 0x1.00002p-1, 0x1.40d931ff63c05p-19},
    {Function::normcdfinv, 0x1.f333333333333p-1, 0x1.f5c0331eeff83p+0},
    {Function::normcdfinv, 0x1.b7cdfd9d7bdbbp-34, -0x1.97203597a2155p+2},
    {Function::normcdfinv, 0x1.bff2ee48e053p-333, -0x1.546010d755221p+4},
    {Function::normcdfinv, 0x1.fffffff8p-1, 0x1.80993fb2838dfp+2},
    {Function::cyl_bessel_i0, 0x1p-1, 0x1.104072392c8p+0},
    {Function::cyl_bessel_i0, -0x1.8p+1, 0x1.385ee7ddb65f1p+2},
    {Function::cyl_bessel_i0, 0x1.8p+3, 0x1.2813b38ec4141p+14},
    {Function::cyl_bessel_i0, 0x1.3e66666666666p+4, 0x1.2d769042918cbp+25},
    {Function::cyl_bessel_i0, 0x1.9p+4, 0x1.5830cd5e77602p+32},
    {Function::cyl_bessel_i0, 0x1.2cp+9, 0x1.9957eb232fba4p+859},
    {Function::cyl_bessel_i1, 0x1p-1, 0x1.081571ddea056p-2},
    {Function::cyl_bessel_i1, -0x1.8p+1, -0x1.fa0809085cc04p+1},
    {Function::cyl_bessel_i1, 0x1.8p+3, 0x1.1b7565270390fp+14},
    {Function::cyl_bessel_i1, 0x1.3e66666666666p+4, 0x1.25c9cfeffb7ccp+25},
    {Function::cyl_bessel_i1, -0x1.9p+4, -0x1.513c2ba9e0f29p+32},
    {Function::cyl_bessel_i1, 0x1.2cp+9, 0x1.99008e32a09ddp+859},
};

/// The bounds for double and float.
const int bounds[][2] = {{5, 2}, {6, 4}, {4, 4}, {8, 5}, {6, 6}, {6, 6}};

/// erfinv, erfcinv, erfcx and normcdfinv are functions of the host as well.
__host__ __device__ constexpr bool isOnHost(Function function) {
  return function < Function::cyl_bessel_i0;
}

__host__ __device__ inline double evaluateCommon(Function function, double x) {
  switch (function) {
  case Function::erfinv:
    return erfinv(x);
  case Function::erfcinv:
    return erfcinv(x);
  case Function::erfcx:
    return erfcx(x);
  default:
    return normcdfinv(x);
  }
}
__host__ __device__ inline float evaluateCommon(Function function, float x) {
  switch (function) {
  case Function::erfinv:
    return erfinvf(x);
  case Function::erfcinv:
    return erfcinvf(x);
  case Function::erfcx:
    return erfcxf(x);
  default:
    return normcdfinvf(x);
  }
}
__device__ inline double evaluate(Function function, double x) {
  return isOnHost(function)                    ? evaluateCommon(function, x)
         : function == Function::cyl_bessel_i0 ? cyl_bessel_i0(x)
                                               : cyl_bessel_i1(x);
}
__device__ inline float evaluate(Function function, float x) {
  return isOnHost(function)                    ? evaluateCommon(function, x)
         : function == Function::cyl_bessel_i0 ? cyl_bessel_i0f(x)
                                               : cyl_bessel_i1f(x);
}

template <class T> struct Call {
  Function function;
  T x;
};

template <class T> __global__ void kernel(T *out, const Call<T> *calls, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = evaluate(calls[i].function, calls[i].x);
}

template <class T> std::vector<T> onDevice(const std::vector<Call<T>> &calls) {
  DeviceArray<Call<T>> input(calls);
  DeviceArray<T> out(calls.size());
  kernel<T><<<(int(calls.size()) + 63) / 64, 64>>>(
      static_cast<T *>(out), static_cast<const Call<T> *>(input), int(calls.size()));
  return out.host();
}

template <class T> bool isNear(T got, T wanted, int bound) {
  if (std::isnan(wanted) || std::isinf(wanted) || wanted == 0)
    return std::isnan(wanted) ? std::isnan(got)
                              : got == wanted && std::signbit(got) == std::signbit(wanted);
  T size = std::fabs(wanted), place = std::nextafter(size, T(INFINITY)) - size;
  return std::fabs(got - wanted) <= bound * place;
}

void checkKnown() {
  std::vector<Call<double>> calls;
  for (const Known &k : known)
    calls.push_back({k.function, k.x});
  auto got = onDevice(calls);
  for (size_t i = 0; i < known.size(); ++i) {
    auto [function, x, result] = known[i];
    int bound = bounds[int(function)][0];
    expect(isNear(got[i], result, bound), "double", long(i), got[i], result);
    double onHost = isOnHost(function) ? evaluateCommon(function, x) : result;
    expect(isNear(onHost, result, bound), "host's double", long(i), onHost, result);
  }
}

/// Single precision against double, over the range of each function.
void checkSingle() {
  const float ranges[][2] = {{-1, 1}, {0, 2}, {-9, 40}, {0, 1}, {-80, 80}, {-80, 80}};
  std::vector<Call<float>> calls;
  for (int f = 0; f < 6; ++f)
    for (int i = 0; i < 500; ++i) {
      float t = (i + 0.37f) / 500;
      int exponent = -2 - i % (f == 0 || f == 2 ? 100 : 140);
      calls.push_back({Function(f), ranges[f][0] + t * (ranges[f][1] - ranges[f][0])});
      calls.push_back({Function(f), std::ldexp(1 + t, exponent)});
    }
  std::vector<Call<double>> doubles;
  for (auto [function, x] : calls)
    doubles.push_back({function, x});
  auto got = onDevice(calls);
  auto exact = onDevice(doubles);
  for (size_t i = 0; i < calls.size(); ++i) {
    auto [function, x] = calls[i];
    float wanted = float(exact[i]);
    int bound = bounds[int(function)][1];
    expect(isNear(got[i], wanted, bound), "float", long(i), got[i], wanted);
    float onHost = isOnHost(function) ? evaluateCommon(function, x) : wanted;
    expect(isNear(onHost, wanted, bound), "host's float", long(i), onHost, wanted);
  }
}

/// Ends of the ranges, and what lies beyond.
void checkEnds() {
  const double inf = INFINITY;
  const std::vector<Known> ends = {{Function::erfinv, 1, inf},
                                   {Function::erfinv, -1, -inf},
                                   {Function::erfinv, -0.0, -0.0},
                                   {Function::erfinv, 1.5, NAN},
                                   {Function::erfcinv, 0, inf},
                                   {Function::erfcinv, 2, -inf},
                                   {Function::erfcinv, -1, NAN},
                                   {Function::erfcinv, NAN, NAN},
                                   {Function::erfcx, -inf, inf},
                                   {Function::erfcx, -27, inf},
                                   {Function::erfcx, inf, 0.0},
                                   {Function::normcdfinv, 0, -inf},
                                   {Function::normcdfinv, 1, inf},
                                   {Function::normcdfinv, 1.1, NAN},
                                   {Function::cyl_bessel_i0, -inf, inf},
                                   {Function::cyl_bessel_i0, 0, 1},
                                   {Function::cyl_bessel_i1, -inf, -inf},
                                   {Function::cyl_bessel_i1, -0.0, -0.0},
                                   {Function::cyl_bessel_i0, 720, inf},
                                   {Function::cyl_bessel_i1, NAN, NAN}};
  std::vector<Call<double>> calls;
  for (const Known &end : ends)
    calls.push_back({end.function, end.x});
  auto got = onDevice(calls);
  for (size_t i = 0; i < ends.size(); ++i) {
    expect(isNear(got[i], ends[i].result, 0), "end", long(i), got[i], ends[i].result);
    auto [function, x, result] = ends[i];
    double onHost = isOnHost(function) ? evaluateCommon(function, x) : result;
    expect(isNear(onHost, result, 0), "host's end", long(i), onHost, result);
  }
  /* The smallest argument, whose inverse is found from logarithms. */
  double smallest = evaluateCommon(Function::erfcinv, 0x1p-1074);
  expect(isNear(smallest, 0x1.b369a6244e684p+4, 6), "smallest", 0, smallest, 0x1.b369a6244e684p+4);
}

int main() {
  checkKnown();
  checkSingle();
  checkEnds();
  return verdict("special_functions");
}
