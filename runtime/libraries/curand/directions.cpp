//===- directions.cpp - Direction vectors of Sobol' sequences -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections",
// SIAM Journal on Scientific Computing 30 (2008): primitive polynomials and initial numbers.
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/curand/directions.h"

namespace regrain::curand {
namespace {

/// Dimension 2 and the following; dimension 1 has no polynomial. The coefficients are those between
/// the first and the last, which are 1.
struct Polynomial {
  unsigned degree, coefficients, initial[7];
};

constexpr Polynomial polynomials[maxDimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

/// Fills the vectors of one dimension by the recurrence of its polynomial.
template <class Word> void fill(Word *vectors, unsigned dimension) {
  constexpr unsigned width = 8 * sizeof(Word);
  if (dimension == 0) {
    for (unsigned i = 0; i < width; ++i)
      vectors[i] = Word(1) << (width - 1 - i);
    return;
  }
  const Polynomial &p = polynomials[dimension - 1];
  for (unsigned i = 0; i < width; ++i) {
    if (i < p.degree) {
      vectors[i] = Word(p.initial[i]) << (width - 1 - i);
      continue;
    }
    vectors[i] = vectors[i - p.degree] ^ vectors[i - p.degree] >> p.degree;
    for (unsigned k = 1; k < p.degree; ++k)
      if (p.coefficients >> (p.degree - 1 - k) & 1)
        vectors[i] ^= vectors[i - k];
  }
}

/// Fills the tables. The scrambling words are those of a simple generator.
template <class Directions, class Word> Directions make() {
  Directions all;
  unsigned long long word = 0x9e3779b97f4a7c15;
  for (unsigned dimension = 0; dimension < maxDimensions; ++dimension) {
    fill<Word>(all.vectors[dimension], dimension);
    word = word * 6364136223846793005 + 1442695040888963407;
    all.scrambles[dimension] = Word(word >> (64 - 8 * sizeof(Word)));
  }
  return all;
}

} // namespace

Directions32 &directions32() {
  static Directions32 all = make<Directions32, unsigned>();
  return all;
}
Directions64 &directions64() {
  static Directions64 all = make<Directions64, unsigned long long>();
  return all;
}

} // namespace regrain::curand
