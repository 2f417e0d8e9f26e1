//===- rand.cpp - A libhiprand.so on the CPU ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generator is one of cuRAND for the host, whose work is a host function in HIP's stream.
//
//===----------------------------------------------------------------------===//
#include "curand.h"
#include "runtime/libraries/stream/submit.h"

namespace {

struct Generator {
  curandGenerator_t host;
  cudaStream_t stream = nullptr;
};

/// Returns cuRAND's number of a generator of hipRAND.
curandRngType_t typeOf(int number) {
  constexpr curandRngType_t pseudo[] = {
      CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_XORWOW,  CURAND_RNG_PSEUDO_MRG32K3A,
      CURAND_RNG_PSEUDO_MTGP32,  CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10};
  constexpr curandRngType_t quasi[] = {CURAND_RNG_QUASI_DEFAULT, CURAND_RNG_QUASI_SOBOL32,
                                       CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64,
                                       CURAND_RNG_QUASI_SCRAMBLED_SOBOL64};
  if (number >= 400 && number <= 405)
    return pseudo[number - 400];
  return number >= 500 && number <= 504 ? quasi[number - 500] : CURAND_RNG_TEST;
}

template <class Work> int run(Generator *generator, Work work) {
  auto status = regrain::libraries::submit(
      generator->stream, [host = generator->host, work] { static_cast<void>(work(host)); });
  return status == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

} // namespace

extern "C" {

int hiprandCreateGenerator(Generator **generator, int type) {
  *generator = new Generator;
  return curandCreateGeneratorHost(&(*generator)->host, typeOf(type));
}

int hiprandDestroyGenerator(Generator *generator) {
  cudaError_t status = cudaStreamSynchronize(generator->stream);
  int destroyed = curandDestroyGenerator(generator->host);
  delete generator;
  return status == cudaSuccess ? destroyed : CURAND_STATUS_PREEXISTING_FAILURE;
}

/// HIP does not know CUDA's handle of the legacy stream.
int hiprandSetStream(Generator *generator, cudaStream_t stream) {
  generator->stream = stream;
  return stream == cudaStreamLegacy ? CURAND_STATUS_OUT_OF_RANGE : CURAND_STATUS_SUCCESS;
}

int hiprandSetPseudoRandomGeneratorSeed(Generator *generator, unsigned long long seed) {
  return run(generator, [=](auto host) { return curandSetPseudoRandomGeneratorSeed(host, seed); });
}
int hiprandSetGeneratorOffset(Generator *generator, unsigned long long offset) {
  return run(generator, [=](auto host) { return curandSetGeneratorOffset(host, offset); });
}
int hiprandSetGeneratorOrdering(Generator *generator, int order) {
  return curandSetGeneratorOrdering(generator->host, curandOrdering_t(order));
}
int hiprandSetQuasiRandomGeneratorDimensions(Generator *generator, unsigned dimensions) {
  return run(generator,
             [=](auto host) { return curandSetQuasiRandomGeneratorDimensions(host, dimensions); });
}
int hiprandGenerateSeeds(Generator *generator) {
  return run(generator, [](auto host) { return curandGenerateSeeds(host); });
}
int hiprandGenerate(Generator *generator, unsigned *out, size_t n) {
  return run(generator, [=](auto host) { return curandGenerate(host, out, n); });
}
int hiprandGenerateLongLong(Generator *generator, unsigned long long *out, size_t n) {
  return run(generator, [=](auto host) { return curandGenerateLongLong(host, out, n); });
}
int hiprandGenerateUniform(Generator *generator, float *out, size_t n) {
  return run(generator, [=](auto host) { return curandGenerateUniform(host, out, n); });
}
int hiprandGenerateUniformDouble(Generator *generator, double *out, size_t n) {
  return run(generator, [=](auto host) { return curandGenerateUniformDouble(host, out, n); });
}
int hiprandGenerateNormal(Generator *generator, float *out, size_t n, float mean, float deviation) {
  return run(generator,
             [=](auto host) { return curandGenerateNormal(host, out, n, mean, deviation); });
}
int hiprandGenerateNormalDouble(Generator *generator, double *out, size_t n, double mean,
                                double deviation) {
  return run(generator,
             [=](auto host) { return curandGenerateNormalDouble(host, out, n, mean, deviation); });
}
int hiprandGenerateLogNormal(Generator *generator, float *out, size_t n, float mean,
                             float deviation) {
  return run(generator,
             [=](auto host) { return curandGenerateLogNormal(host, out, n, mean, deviation); });
}
int hiprandGenerateLogNormalDouble(Generator *generator, double *out, size_t n, double mean,
                                   double deviation) {
  return run(generator, [=](auto host) {
    return curandGenerateLogNormalDouble(host, out, n, mean, deviation);
  });
}
int hiprandGeneratePoisson(Generator *generator, unsigned *out, size_t n, double lambda) {
  return run(generator, [=](auto host) { return curandGeneratePoisson(host, out, n, lambda); });
}
}
