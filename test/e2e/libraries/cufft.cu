//===- cufft.cu - Fourier transforms ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All types, one to three dimensions, batches and strides, in and out of place, against the sum that
// defines the transform.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cufft
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcufft
// RUN: timeout 60 %t

// Without FFTW, making a plan fails, and a line says what is missing.
// RUN: rm -rf %t.none && mkdir %t.none && touch %t.none/libfftw3f_threads.so.3
// RUN: not env LD_LIBRARY_PATH=%t.none %t 2>&1 | FileCheck %s
// CHECK: regrain: cuFFT on the CPU needs version 3 of FFTW: {{.*}}libfftw3f_threads.so.3
// CHECK-NOT: needs version 3 of FFTW
// CHECK: plan
// CHECK-SAME: 17
#include "reference.h"
#include <cufft.h>

using C = std::complex<double>;

/// The transform of `sizes` elements, packed, by its definition.
std::vector<C> transform(const std::vector<C> &in, std::vector<int> sizes, int sign) {
  sizes.insert(sizes.begin(), 3 - sizes.size(), 1);
  std::vector<C> out(in.size());
  size_t at = 0;
  auto phase = [&](int a, int b, int n) { return 2 * M_PI * (double(a) * b / n); };
  for (int x = 0; x < sizes[0]; ++x)
    for (int y = 0; y < sizes[1]; ++y)
      for (int z = 0; z < sizes[2]; ++z, ++at) {
        size_t from = 0;
        for (int a = 0; a < sizes[0]; ++a)
          for (int b = 0; b < sizes[1]; ++b)
            for (int c = 0; c < sizes[2]; ++c)
              out[at] += in[from++] * std::polar(1.0, sign * (phase(x, a, sizes[0]) + phase(y, b, sizes[1]) +
                                                              phase(z, c, sizes[2])));
      }
  return out;
}

int product(const std::vector<int> &sizes) {
  int elements = 1;
  for (int size : sizes)
    elements *= size;
  return elements;
}

template <class N> std::vector<C> widened(const std::vector<N> &in) { return {in.begin(), in.end()}; }

cufftResult plan(cufftHandle *handle, std::vector<int> n, cufftType type) {
  return n.size() == 1   ? cufftPlan1d(handle, n[0], type, 1)
         : n.size() == 2 ? cufftPlan2d(handle, n[0], n[1], type)
                         : cufftPlan3d(handle, n[0], n[1], n[2], type);
}

template <class T, class Execute>
void testComplex(const char *name, cufftType type, std::vector<int> sizes, Execute execute, double bound) {
  using N = Number<T>;
  std::vector<N> in = someNumbers<N>(product(sizes));
  Device<T> In(in), Out(in), InPlace(in);
  cufftHandle handle;
  SUCCEED(plan(&handle, sizes, type));
  for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    SUCCEED(execute(handle, In, Out, direction));
    CHECK(cudaDeviceSynchronize());
    expectAllNear(name, widened(Out.host()), transform(widened(in), sizes, direction), bound);
    expectAllNear("the input", In.host(), in);
  }
  SUCCEED(execute(handle, InPlace, InPlace, CUFFT_FORWARD));
  SUCCEED(execute(handle, InPlace, InPlace, CUFFT_INVERSE));
  CHECK(cudaDeviceSynchronize());
  std::vector<N> scaled = in;
  for (N &x : scaled)
    x *= product(sizes);
  expectAllNear("forward and back", InPlace.host(), scaled, bound * 100);
  SUCCEED(cufftDestroy(handle));
}

template <class T, class R, class Forward, class Back>
void testReal(const char *name, cufftType forwardType, cufftType backType, std::vector<int> sizes,
              Forward forward, Back back, double bound) {
  using N = Number<T>;
  int elements = product(sizes), last = sizes.back(), rows = elements / last, half = last / 2 + 1;
  std::vector<R> in = someNumbers<R>(elements), padded(rows * 2 * half);
  for (int i = 0; i < elements; ++i)
    padded[i / last * 2 * half + i % last] = in[i];
  Device<R> In(in), InPlace(padded), Result(in);
  Device<T> Out(std::vector<N>(rows * half));
  cufftHandle forwards, backwards;
  SUCCEED(plan(&forwards, sizes, forwardType));
  SUCCEED(plan(&backwards, sizes, backType));
  SUCCEED(forward(forwards, In, Out));
  SUCCEED(forward(forwards, InPlace, reinterpret_cast<T *>(static_cast<R *>(InPlace))));
  CHECK(cudaDeviceSynchronize());
  std::vector<C> whole = transform(widened(in), sizes, CUFFT_FORWARD);
  std::vector<N> out = Out.host();
  std::vector<R> inPlace = InPlace.host();
  for (int i = 0; i < rows * half; ++i) {
    C wanted = whole[i / half * last + i % half];
    expectNear(name, i, C(out[i]), wanted, bound);
    expectNear("in place", i, C(inPlace[2 * i], inPlace[2 * i + 1]), wanted, bound);
  }
  SUCCEED(back(backwards, Out, Result));
  SUCCEED(back(backwards, reinterpret_cast<T *>(static_cast<R *>(InPlace)), InPlace));
  CHECK(cudaDeviceSynchronize());
  std::vector<R> result = Result.host(), resultInPlace = InPlace.host();
  for (int i = 0; i < elements; ++i) {
    expectNear("back", i, result[i] / elements, in[i], bound * 10);
    expectNear("back in place", i, resultInPlace[i / last * 2 * half + i % last] / elements, in[i], bound * 10);
  }
  SUCCEED(cufftDestroy(forwards));
  SUCCEED(cufftDestroy(backwards));
}

/// Three transforms, whose elements alternate in the input and lie apart in the output.
void testMany(bool large) {
  const int n = 6, batch = 3;
  std::vector<std::complex<float>> in = someNumbers<std::complex<float>>(n * batch);
  Device<cufftComplex> In(in), Out(std::vector<std::complex<float>>(batch * 20));
  int sizes[] = {n}, embed[] = {n};
  long long sizes64[] = {n}, embed64[] = {n};
  cufftHandle handle;
  size_t bytes = 1;
  if (large) {
    SUCCEED(cufftCreate(&handle));
    SUCCEED(cufftMakePlanMany64(handle, 1, sizes64, embed64, batch, 1, embed64, 2, 20, CUFFT_C2C, batch, &bytes));
  } else {
    SUCCEED(cufftPlanMany(&handle, 1, sizes, embed, batch, 1, embed, 2, 20, CUFFT_C2C, batch));
  }
  SUCCEED(cufftExecC2C(handle, In, Out, CUFFT_FORWARD));
  CHECK(cudaDeviceSynchronize());
  auto out = Out.host();
  for (int b = 0; b < batch; ++b) {
    std::vector<C> one;
    for (int i = 0; i < n; ++i)
      one.push_back(C(in[i * batch + b]));
    std::vector<C> wanted = transform(one, {n}, CUFFT_FORWARD);
    for (int i = 0; i < n; ++i)
      expectNear("many", i, C(out[b * 20 + 2 * i]), wanted[i], 1e-5);
  }
  SUCCEED(cufftDestroy(handle));
}

__global__ void fillSlowly(cufftComplex *out, int n) {
  long long start = clock64();
  while (clock64() - start < 20000000)
    ;
  for (int i = 0; i < n; ++i)
    out[i] = {1, 0};
}
__global__ void takeFirst(float *to, const cufftComplex *from) { *to = from[0].x; }

void testStream() {
  const int n = 1 << 16; // large enough for several threads
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cufftHandle handle;
  SUCCEED(cufftPlan1d(&handle, n, CUFFT_C2C, 1));
  SUCCEED(cufftSetStream(handle, stream));
  DeviceArray<cufftComplex> data(n);
  DeviceArray<float> first(1);
  fillSlowly<<<1, 1, 0, stream>>>(data, n);
  SUCCEED(cufftExecC2C(handle, data, data, CUFFT_FORWARD));
  SUCCEED(cufftDestroy(handle)); // the work that was started goes on
  takeFirst<<<1, 1, 0, stream>>>(first, data);
  CHECK(cudaStreamSynchronize(stream));
  expectEqual("between kernels", 0, first.host()[0], float(n));
  CHECK(cudaStreamDestroy(stream));
}

#define FAIL_WITH(STATUS, CALL) expectEqual(#CALL, __LINE__, int(CALL), int(STATUS))

void testErrors() {
  DeviceArray<cufftComplex> data(8);
  cufftHandle handle;
  size_t bytes;
  FAIL_WITH(CUFFT_INVALID_SIZE, cufftPlan1d(&handle, 0, CUFFT_C2C, 1));
  FAIL_WITH(CUFFT_INVALID_TYPE, cufftPlan1d(&handle, 8, cufftType(7), 1));
  FAIL_WITH(CUFFT_INVALID_SIZE, cufftEstimate2d(4, -1, CUFFT_R2C, &bytes));
  FAIL_WITH(CUFFT_INVALID_PLAN, cufftExecC2C(12345, data, data, CUFFT_FORWARD));
  SUCCEED(cufftCreate(&handle));
  FAIL_WITH(CUFFT_INVALID_PLAN, cufftExecC2C(handle, data, data, CUFFT_FORWARD));
  SUCCEED(cufftMakePlan1d(handle, 8, CUFFT_C2C, 1, &bytes));
  FAIL_WITH(CUFFT_INVALID_VALUE, cufftExecC2C(handle, data, data, 0));
  FAIL_WITH(CUFFT_INVALID_VALUE, cufftExecC2C(handle, nullptr, data, CUFFT_FORWARD));
  SUCCEED(cufftDestroy(handle));
  FAIL_WITH(CUFFT_INVALID_PLAN, cufftDestroy(handle));
}

int main() {
  for (std::vector<int> sizes : {std::vector<int>{12}, {7}, {4, 6}, {5, 7}, {3, 4, 5}}) {
    testComplex<cufftComplex>("C2C", CUFFT_C2C, sizes, cufftExecC2C, 1e-5);
    testComplex<cufftDoubleComplex>("Z2Z", CUFFT_Z2Z, sizes, cufftExecZ2Z, 1e-13);
    testReal<cufftComplex, float>("R2C", CUFFT_R2C, CUFFT_C2R, sizes, cufftExecR2C, cufftExecC2R, 1e-5);
    testReal<cufftDoubleComplex, double>("D2Z", CUFFT_D2Z, CUFFT_Z2D, sizes, cufftExecD2Z, cufftExecZ2D, 1e-13);
  }
  testMany(false);
  testMany(true);
  testStream();
  testErrors();
  return verdict("cufft");
}
