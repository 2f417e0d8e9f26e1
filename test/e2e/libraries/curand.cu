//===- curand.cu - Random numbers of the library ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moments of all generators and distributions; what is documented of sequences; the numbers of kernels.
//
//===----------------------------------------------------------------------===//
// REQUIRES: curand
// RUN: %regrain-nvcc --targets=cpu -O1 -o %t %s -lcurand
// RUN: timeout 60 %t
#include "reference.h"
#include <algorithm>
#include <curand.h>
#include <curand_kernel.h>

const int n = 100000;
const curandRngType_t pseudo[] = {CURAND_RNG_PSEUDO_DEFAULT,  CURAND_RNG_PSEUDO_XORWOW,
                                  CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,
                                  CURAND_RNG_PSEUDO_MT19937,  CURAND_RNG_PSEUDO_PHILOX4_32_10};
const curandRngType_t quasi[] = {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
                                 CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64};

curandGenerator_t make(curandRngType_t type, unsigned long long seed = 1234, bool onHost = false) {
  curandGenerator_t generator;
  SUCCEED((onHost ? curandCreateGeneratorHost : curandCreateGenerator)(&generator, type));
  if (type < CURAND_RNG_QUASI_DEFAULT)
    SUCCEED(curandSetPseudoRandomGeneratorSeed(generator, seed));
  return generator;
}

template <class T> void expectMoments(const char *name, int type, const std::vector<T> &x, double mean, double variance) {
  double sum = 0, squares = 0;
  for (T value : x)
    sum += double(value);
  double average = sum / x.size();
  for (T value : x)
    squares += (double(value) - average) * (double(value) - average);
  double error = 6 * std::sqrt(variance / x.size());
  expect(std::abs(average - mean) <= error, name, type, average, mean);
  expect(std::abs(squares / x.size() / variance - 1) <= 0.1, name, -type, squares / x.size(), variance);
}

/// Uniform numbers fill 16 intervals evenly.
template <class T> void expectEven(const char *name, int type, const std::vector<T> &x) {
  std::vector<int> counts(16);
  for (T value : x) {
    expect(value > 0 && value <= 1, name, type, double(value), 0.5);
    ++counts[std::min(15, int(value * 16))];
  }
  double square = 0, wanted = double(x.size()) / 16;
  for (int count : counts)
    square += (count - wanted) * (count - wanted) / wanted;
  expect(square < 60, name, type, square, 15);
}

void testDistributions(curandRngType_t type) {
  curandGenerator_t generator = make(type);
  DeviceArray<float> f(n);
  DeviceArray<double> d(n);
  DeviceArray<unsigned> u(n);
  SUCCEED(curandGenerateUniform(generator, f, n));
  SUCCEED(curandGenerateUniformDouble(generator, d, n));
  CHECK(cudaDeviceSynchronize());
  expectEven("uniform", type, f.host());
  expectEven("uniform double", type, d.host());
  expectMoments("uniform", type, f.host(), 0.5, 1.0 / 12);
  SUCCEED(curandGenerateNormal(generator, f, n, 2, 3));
  SUCCEED(curandGenerateNormalDouble(generator, d, n, -1, 0.5));
  CHECK(cudaDeviceSynchronize());
  expectMoments("normal", type, f.host(), 2, 9);
  expectMoments("normal double", type, d.host(), -1, 0.25);
  SUCCEED(curandGenerateLogNormal(generator, f, n, 0, 0.5));
  SUCCEED(curandGenerateLogNormalDouble(generator, d, n, 0, 0.5));
  CHECK(cudaDeviceSynchronize());
  double s = 0.25, mean = std::exp(s / 2), variance = (std::exp(s) - 1) * std::exp(s);
  expectMoments("log normal", type, f.host(), mean, variance);
  expectMoments("log normal double", type, d.host(), mean, variance);
  for (double lambda : {0.5, 10.0, 500.0}) {
    SUCCEED(curandGeneratePoisson(generator, u, n, lambda));
    CHECK(cudaDeviceSynchronize());
    expectMoments("Poisson", type, u.host(), lambda, lambda);
  }
#ifdef ON_AMD // hipRAND has no such numbers
  expectEqual("binomial", type, curandGenerateBinomial(generator, u, n, 20, 0.3), CURAND_STATUS_ARCH_MISMATCH);
#else
  SUCCEED(curandGenerateBinomial(generator, u, n, 20, 0.3));
  CHECK(cudaDeviceSynchronize());
  expectMoments("binomial", type, u.host(), 6, 4.2);
#endif
  SUCCEED(curandDestroyGenerator(generator));
}

/// The same seed gives the same numbers, in any number of calls; another seed gives others.
void testSequence(curandRngType_t type) {
  DeviceArray<unsigned> a(1000), b(1000), c(1000);
  curandGenerator_t first = make(type), second = make(type), third = make(type, 99);
  SUCCEED(curandGenerate(first, a, 1000));
  SUCCEED(curandGenerate(second, b, 300));
  SUCCEED(curandGenerate(second, b + 300, 700));
  SUCCEED(curandGenerate(third, c, 1000));
  CHECK(cudaDeviceSynchronize());
  expectEqual("two calls", type, a.host() == b.host(), true);
  expectEqual("another seed", type, a.host() == c.host(), false);
  // An offset leaves out the first numbers.
  SUCCEED(curandSetGeneratorOffset(second, 100));
  SUCCEED(curandGenerate(second, b, 900));
  // A host generator has the same numbers.
  std::vector<unsigned> onHost(1000), all = a.host();
  curandGenerator_t host = make(type, 1234, true);
  SUCCEED(curandGenerate(host, onHost.data(), 1000));
  CHECK(cudaDeviceSynchronize());
  expectEqual("offset", type, std::equal(all.begin() + 100, all.end(), b.host().begin()), true);
  expectEqual("on the host", type, onHost == all, true);
  for (curandGenerator_t generator : {first, second, third, host})
    SUCCEED(curandDestroyGenerator(generator));
}

__global__ void draw(unsigned *philox, unsigned *xorwow) {
  curandStatePhilox4_32_10_t a;
  curand_init(1234, 0, 0, &a);
  for (int i = 0; i < 64; ++i)
    philox[i] = curand(&a);
  curandState b;
  curand_init(1234, threadIdx.x, 0, &b);
  xorwow[threadIdx.x] = curand(&b);
}

/// Philox counts; XORWOW takes from 4096 sequences in turn.
void testKernels() {
  DeviceArray<unsigned> philox(64), xorwow(64), a(64), b(64);
  draw<<<1, 64>>>(philox, xorwow);
  curandGenerator_t counts = make(CURAND_RNG_PSEUDO_PHILOX4_32_10), turns = make(CURAND_RNG_PSEUDO_XORWOW);
  SUCCEED(curandGenerate(counts, a, 64));
  SUCCEED(curandGenerate(turns, b, 64));
  CHECK(cudaDeviceSynchronize());
  expectEqual("Philox", 0, a.host() == philox.host(), true);
  expectEqual("XORWOW", 0, b.host() == xorwow.host(), true);
  SUCCEED(curandDestroyGenerator(counts));
  SUCCEED(curandDestroyGenerator(turns));
}

/// In each dimension, 2^k numbers of a Sobol' sequence fill 2^k intervals, one each.
void testQuasi(curandRngType_t type) {
  const unsigned dimensions = 21, each = 256;
  curandGenerator_t generator = make(type);
  SUCCEED(curandSetQuasiRandomGeneratorDimensions(generator, dimensions));
  DeviceArray<double> x(dimensions * each);
  SUCCEED(curandGenerateUniformDouble(generator, x, dimensions * each));
  CHECK(cudaDeviceSynchronize());
  std::vector<double> numbers = x.host();
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    std::vector<int> counts(each);
    for (unsigned i = 0; i < each; ++i)
      ++counts[std::min(each - 1, unsigned(numbers[dimension * each + i] * each))];
    expectEqual("one in each interval", dimension, *std::max_element(counts.begin(), counts.end()), 1);
  }
  SUCCEED(curandDestroyGenerator(generator));
}

__global__ void doubleAll(float *x) { x[threadIdx.x] *= 2; }

void testStream() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  curandGenerator_t generator = make(CURAND_RNG_PSEUDO_DEFAULT);
  SUCCEED(curandSetStream(generator, stream));
  DeviceArray<float> x(256);
  for (int i = 0; i < 20; ++i) {
    SUCCEED(curandGenerateUniform(generator, x, 256));
    doubleAll<<<1, 256, 0, stream>>>(x);
  }
  CHECK(cudaStreamSynchronize(stream));
  std::vector<float> numbers = x.host();
  expect(*std::max_element(numbers.begin(), numbers.end()) > 1, "before a kernel", 0, numbers[0], 1);
  SUCCEED(curandDestroyGenerator(generator));
  CHECK(cudaStreamDestroy(stream));
}

__global__ void drawDiscrete(unsigned *out, curandDiscreteDistribution_t distribution) {
  curandState state;
  curand_init(5, threadIdx.x, 0, &state);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = curand_discrete(&state, distribution);
}

void testTables() {
#ifdef ON_AMD
  curandDiscreteDistribution_t unused;
  expectEqual("table", 0, curandCreatePoissonDistribution(3, &unused), CURAND_STATUS_ARCH_MISMATCH);
  return;
#endif
  DeviceArray<unsigned> x(n);
  for (double lambda : {3.0, 100.0, 20000.0}) {
    curandDiscreteDistribution_t distribution;
    SUCCEED(curandCreatePoissonDistribution(lambda, &distribution));
    drawDiscrete<<<1, 64>>>(x, distribution);
    CHECK(cudaDeviceSynchronize());
    expectMoments("Poisson by a table", int(lambda), x.host(), lambda, lambda);
    SUCCEED(curandDestroyDistribution(distribution));
  }
}

#define FAIL_WITH(STATUS, CALL) expectEqual(#CALL, __LINE__, int(CALL), int(STATUS))

void testErrors() {
  DeviceArray<float> x(10);
  DeviceArray<unsigned> u(10);
  curandGenerator_t generator;
  FAIL_WITH(CURAND_STATUS_TYPE_ERROR, curandCreateGenerator(&generator, curandRngType_t(55)));
  FAIL_WITH(CURAND_STATUS_NOT_INITIALIZED, curandGenerateUniform(nullptr, x, 10));
  generator = make(CURAND_RNG_PSEUDO_DEFAULT);
  FAIL_WITH(CURAND_STATUS_LENGTH_NOT_MULTIPLE, curandGenerateNormal(generator, x, 9, 0, 1));
  FAIL_WITH(CURAND_STATUS_OUT_OF_RANGE, curandGeneratePoisson(generator, u, 10, -1));
  FAIL_WITH(CURAND_STATUS_TYPE_ERROR, curandSetQuasiRandomGeneratorDimensions(generator, 2));
  SUCCEED(curandDestroyGenerator(generator));
  generator = make(CURAND_RNG_QUASI_SOBOL32);
  SUCCEED(curandSetQuasiRandomGeneratorDimensions(generator, 3));
  FAIL_WITH(CURAND_STATUS_LENGTH_NOT_MULTIPLE, curandGenerateUniform(generator, x, 10));
  FAIL_WITH(CURAND_STATUS_TYPE_ERROR, curandSetPseudoRandomGeneratorSeed(generator, 1));
  SUCCEED(curandDestroyGenerator(generator));
}

int main() {
  for (curandRngType_t type : pseudo) {
    testDistributions(type);
    testSequence(type);
  }
  for (curandRngType_t type : quasi) {
    testDistributions(type);
    testQuasi(type);
  }
  testKernels();
  testStream();
  testTables();
  testErrors();
  return verdict("curand");
}
