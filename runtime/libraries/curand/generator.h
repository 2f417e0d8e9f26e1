//===- generator.h - Generators of cuRAND's library -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers are those of the functions for kernels, in the order that is documented for the
// library.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "curand.h"

#include <cstddef>
#include <memory>

namespace regrain::curand {

/// Writes the next numbers of a sequence. The calls follow each other.
class Generator {
public:
  virtual ~Generator() = default;
  virtual void bits(unsigned *out, size_t n) = 0;
  virtual void bits64(unsigned long long *out, size_t n) = 0;
  virtual void uniform(float *out, size_t n) = 0;
  virtual void uniform(double *out, size_t n) = 0;
  virtual void normal(float *out, size_t n, float mean, float deviation) = 0;
  virtual void normal(double *out, size_t n, double mean, double deviation) = 0;
  virtual void poisson(unsigned *out, size_t n, double lambda) = 0;
  virtual void binomial(unsigned *out, size_t n, unsigned trials, double p) = 0;
};

/// What a generator is made of.
struct Recipe {
  curandRngType_t type;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1; ///< of a quasirandom sequence
};

inline bool isQuasi(curandRngType_t type) { return type >= CURAND_RNG_QUASI_DEFAULT; }
/// Returns whether the generator has words of 64 bits; the others have 32.
inline bool isWide(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}
bool isKnown(curandRngType_t type);

std::unique_ptr<Generator> makePseudo(const Recipe &recipe);
std::unique_ptr<Generator> makeQuasi(const Recipe &recipe);

} // namespace regrain::curand
