//===- hip.cpp - cuRAND on an AMD GPU, by hipRAND -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/curand/hip.h"

namespace regrain::curand::hip {

const libraries::HipLibrary &library() {
  static constexpr libraries::HipFile files[] = {{7, 1}, {6, 1}, {5, 1}};
  static const auto *loaded = new libraries::HipLibrary("hiprand", files);
  return *loaded;
}

/// Returns hipRAND's number of a generator; 0, which is none, for an unknown one.
static int numberOf(curandRngType_t type) {
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
    return 400;
  case CURAND_RNG_PSEUDO_XORWOW:
    return 401;
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return 402;
  case CURAND_RNG_PSEUDO_MTGP32:
    return 403;
  case CURAND_RNG_PSEUDO_MT19937:
    return 404;
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return 405;
  case CURAND_RNG_QUASI_DEFAULT:
    return 500;
  case CURAND_RNG_QUASI_SOBOL32:
    return 501;
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    return 502;
  case CURAND_RNG_QUASI_SOBOL64:
    return 503;
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return 504;
  default:
    return 0;
  }
}

curandStatus_t create(void *&generator, curandRngType_t type) {
  return call("hiprandCreateGenerator", &generator, numberOf(type));
}

} // namespace regrain::curand::hip
