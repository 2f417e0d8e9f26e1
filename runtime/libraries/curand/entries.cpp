//===- entries.cpp - The entries of cuRAND's library ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/curand/directions.h"
#include "runtime/libraries/curand/generator.h"
#include "runtime/libraries/curand/hip.h"
#include "runtime/libraries/elements/version.h"
#include "runtime/libraries/stream/submit.h"

#include <cmath>
#include <new>
#include <utility>

using namespace regrain::curand;

/// The handle of the library.
struct curandGenerator_st {
  Recipe recipe;
  bool isHost;         ///< writes to the host's memory, at the call
  void *hip = nullptr; ///< the generator of hipRAND, if the work runs on an AMD GPU
  cudaStream_t stream = nullptr;
  /// It is made by the first work after a change of the recipe. Work that is queued shares it.
  struct Made {
    std::unique_ptr<Generator> generator;
  };
  std::shared_ptr<Made> made = std::make_shared<Made>();
};

namespace {

/// Calls `draw` on the generator, in the order of the stream.
template <class Draw> curandStatus_t generate(curandGenerator_t handle, Draw draw) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  auto work = [made = handle->made, recipe = handle->recipe, draw] {
    if (!made->generator)
      made->generator = isQuasi(recipe.type) ? makeQuasi(recipe) : makePseudo(recipe);
    draw(*made->generator);
  };
  if (handle->isHost) {
    work();
    return CURAND_STATUS_SUCCESS;
  }
  cudaError_t status = regrain::libraries::submit(handle->stream, work);
  return status == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// Quasirandom numbers come in equal parts for all dimensions, and normal ones in pairs.
curandStatus_t checkCount(curandGenerator_t handle, size_t n, bool inPairs = false) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  size_t multiple = isQuasi(handle->recipe.type) ? handle->recipe.dimensions : inPairs ? 2 : 1;
  return n % multiple ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : CURAND_STATUS_SUCCESS;
}

/// Generates normal numbers, or their exponentials. `entry` is hipRAND's.
template <class T>
curandStatus_t generateNormal(curandGenerator_t handle, T *out, size_t n, T mean, T deviation,
                              bool isLog, const char *entry) {
  if (curandStatus_t status = checkCount(handle, n, /*inPairs=*/true))
    return status;
  if (handle->hip)
    return hip::call(entry, handle->hip, out, n, mean, deviation);
  return generate(handle, [=](Generator &generator) {
    generator.normal(out, n, mean, deviation);
    for (size_t i = 0; isLog && i < n; ++i)
      out[i] = std::exp(out[i]);
  });
}

/// Sets a member of the recipe: the sequence begins anew. On an AMD GPU, `entry` of hipRAND does
/// so.
template <class T>
curandStatus_t change(curandGenerator_t handle, T Recipe::*member, T value, const char *entry) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  handle->recipe.*member = value;
  if (handle->hip)
    return hip::call(entry, handle->hip, value);
  handle->made = std::make_shared<curandGenerator_st::Made>();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t create(curandGenerator_t *handle, curandRngType_t type, bool isHost) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!isKnown(type))
    return CURAND_STATUS_TYPE_ERROR;
  void *hip = nullptr;
  if (!isHost && regrain::libraries::hipMajor() != 0) {
    if (curandStatus_t status = regrain::curand::hip::create(hip, type))
      return status;
  } else if (!isHost && regrain::libraries::checkDevice() != cudaSuccess) {
    return CURAND_STATUS_ARCH_MISMATCH;
  }
  *handle = new (std::nothrow) curandGenerator_st{{type}, isHost, hip};
  return *handle ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

} // namespace

bool regrain::curand::isKnown(curandRngType_t type) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_MTGP32:
  case CURAND_RNG_PSEUDO_MT19937:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_DEFAULT:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return true;
  default:
    return false;
  }
}

curandStatus_t curandCreateGenerator(curandGenerator_t *handle, curandRngType_t type) {
  return create(handle, type, /*isHost=*/false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *handle, curandRngType_t type) {
  return create(handle, type, /*isHost=*/true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t handle) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  std::unique_ptr<curandGenerator_st> generator(handle);
  return handle->hip ? hip::call("hiprandDestroyGenerator", handle->hip) : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  return regrain::libraries::getProperty(type, value,
                                         {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH},
                                         CURAND_STATUS_OUT_OF_RANGE);
}

/// The states are used by one stream at a time.
curandStatus_t curandSetStream(curandGenerator_t handle, cudaStream_t stream) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (handle->hip)
    return hip::call("hiprandSetStream", handle->hip, regrain::libraries::toHip(stream));
  if (!handle->isHost && handle->stream != stream &&
      cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CURAND_STATUS_PREEXISTING_FAILURE;
  handle->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t handle,
                                                  unsigned long long seed) {
  if (handle && isQuasi(handle->recipe.type))
    return CURAND_STATUS_TYPE_ERROR;
  return change(handle, &Recipe::seed, seed, "hiprandSetPseudoRandomGeneratorSeed");
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t handle, unsigned long long offset) {
  return change(handle, &Recipe::offset, offset, "hiprandSetGeneratorOffset");
}

// There is one order.
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t handle, curandOrdering_t order) {
  if (!handle)
    return CURAND_STATUS_NOT_INITIALIZED;
  bool fits = isQuasi(handle->recipe.type)
                  ? order == CURAND_ORDERING_QUASI_DEFAULT
                  : order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
  if (!fits)
    return CURAND_STATUS_OUT_OF_RANGE;
  return handle->hip ? hip::call("hiprandSetGeneratorOrdering", handle->hip, int(order))
                     : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t handle,
                                                       unsigned int dimensions) {
  if (handle && !isQuasi(handle->recipe.type))
    return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > maxDimensions)
    return CURAND_STATUS_OUT_OF_RANGE;
  return change(handle, &Recipe::dimensions, dimensions,
                "hiprandSetQuasiRandomGeneratorDimensions");
}

curandStatus_t curandGenerateSeeds(curandGenerator_t handle) {
  if (handle && handle->hip)
    return hip::call("hiprandGenerateSeeds", handle->hip);
  return generate(handle, [](Generator &) {});
}

curandStatus_t curandGenerate(curandGenerator_t handle, unsigned int *out, size_t n) {
  if (curandStatus_t status = checkCount(handle, n))
    return status;
  if (isWide(handle->recipe.type))
    return CURAND_STATUS_TYPE_ERROR;
  if (handle->hip)
    return hip::call("hiprandGenerate", handle->hip, out, n);
  return generate(handle, [=](Generator &generator) { generator.bits(out, n); });
}

curandStatus_t curandGenerateLongLong(curandGenerator_t handle, unsigned long long *out, size_t n) {
  if (curandStatus_t status = checkCount(handle, n))
    return status;
  if (!isWide(handle->recipe.type))
    return CURAND_STATUS_TYPE_ERROR;
  if (handle->hip)
    return hip::call("hiprandGenerateLongLong", handle->hip, out, n);
  return generate(handle, [=](Generator &generator) { generator.bits64(out, n); });
}

curandStatus_t curandGenerateUniform(curandGenerator_t handle, float *out, size_t n) {
  if (curandStatus_t status = checkCount(handle, n))
    return status;
  if (handle->hip)
    return hip::call("hiprandGenerateUniform", handle->hip, out, n);
  return generate(handle, [=](Generator &generator) { generator.uniform(out, n); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t handle, double *out, size_t n) {
  if (curandStatus_t status = checkCount(handle, n))
    return status;
  if (handle->hip)
    return hip::call("hiprandGenerateUniformDouble", handle->hip, out, n);
  return generate(handle, [=](Generator &generator) { generator.uniform(out, n); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t handle, float *out, size_t n, float mean,
                                    float deviation) {
  return generateNormal(handle, out, n, mean, deviation, /*isLog=*/false, "hiprandGenerateNormal");
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t handle, double *out, size_t n,
                                          double mean, double deviation) {
  return generateNormal(handle, out, n, mean, deviation, /*isLog=*/false,
                        "hiprandGenerateNormalDouble");
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t handle, float *out, size_t n, float mean,
                                       float deviation) {
  return generateNormal(handle, out, n, mean, deviation, /*isLog=*/true,
                        "hiprandGenerateLogNormal");
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t handle, double *out, size_t n,
                                             double mean, double deviation) {
  return generateNormal(handle, out, n, mean, deviation, /*isLog=*/true,
                        "hiprandGenerateLogNormalDouble");
}

curandStatus_t curandGeneratePoisson(curandGenerator_t handle, unsigned int *out, size_t n,
                                     double lambda) {
  if (curandStatus_t status = checkCount(handle, n))
    return status;
  if (!(lambda > 0) || lambda > 400000)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (handle->hip)
    return hip::call("hiprandGeneratePoisson", handle->hip, out, n, lambda);
  return generate(handle, [=](Generator &generator) { generator.poisson(out, n, lambda); });
}
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t handle, unsigned int *out, size_t n,
                                           double lambda, curandMethod_t) {
  return curandGeneratePoisson(handle, out, n, lambda);
}

curandStatus_t curandGenerateBinomial(curandGenerator_t handle, unsigned int *out, size_t n,
                                      unsigned int trials, double p) {
  if (curandStatus_t status = checkCount(handle, n))
    return status;
  if (!(p >= 0 && p <= 1))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (handle->hip)
    return hip::call("hiprandGenerateBinomial", handle->hip, out, n, trials, p);
  return generate(handle, [=](Generator &generator) { generator.binomial(out, n, trials, p); });
}
curandStatus_t curandGenerateBinomialMethod(curandGenerator_t handle, unsigned int *out, size_t n,
                                            unsigned int trials, double p, curandMethod_t) {
  return curandGenerateBinomial(handle, out, n, trials, p);
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  bool isKnown = set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 ||
                 set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6;
  if (!vectors || !isKnown)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = directions32().vectors;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  bool isKnown = set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 ||
                 set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6;
  if (!vectors || !isKnown)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = directions64().vectors;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  if (!constants)
    return CURAND_STATUS_OUT_OF_RANGE;
  *constants = directions32().scrambles;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  if (!constants)
    return CURAND_STATUS_OUT_OF_RANGE;
  *constants = directions64().scrambles;
  return CURAND_STATUS_SUCCESS;
}
