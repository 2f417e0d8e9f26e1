//===- pseudo.cpp - Pseudorandom generators -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/curand/generator.h"

#include "curand_kernel.h"

#include <cmath>
#include <random>
#include <vector>

namespace regrain::curand {
namespace {

/// The states of parallel subsequences, from which numbers are taken in turn: number n is number
/// n / count of subsequence n % count. Pairs of normal numbers are counted as one number.
template <class State, unsigned count> class Subsequences {
public:
  explicit Subsequences(const Recipe &recipe) : states(count), turn(recipe.offset % count) {
    curand_init(recipe.seed, 0, 0, &states[0]);
    for (unsigned i = 1; i < count; ++i) {
      states[i] = states[i - 1];
      skipahead_sequence(1, &states[i]);
    }
    for (unsigned i = 0; i < count; ++i)
      skipahead(recipe.offset / count + (i < turn), &states[i]);
  }
  State &next() {
    State &state = states[turn];
    turn = turn + 1 == count ? 0 : turn + 1;
    return state;
  }
  unsigned nextBits() { return ::curand(&next()); }
  float nextUniform() { return curand_uniform(&next()); }
  double nextUniformDouble() { return curand_uniform_double(&next()); }
  float2 nextNormals() { return curand_normal2(&next()); }
  double2 nextNormalsDouble() { return curand_normal2_double(&next()); }

private:
  std::vector<State> states;
  unsigned turn;
};

/// The Mersenne twister, by its words.
class Twister {
public:
  explicit Twister(const Recipe &recipe) : words(std::mt19937::result_type(recipe.seed)) {
    words.discard(recipe.offset);
  }
  unsigned nextBits() { return unsigned(words()); }
  float nextUniform() { return float((nextBits() + 0.5) / 4294967296.0); }
  double nextUniformDouble() {
    unsigned long long word = nextBits();
    word = word << 21 ^ nextBits() >> 11;
    return (double(word) + 1) / 9007199254740992.0;
  }
  float2 nextNormals() {
    double2 pair = nextNormalsDouble();
    return {float(pair.x), float(pair.y)};
  }
  double2 nextNormalsDouble() {
    double radius = std::sqrt(-2 * std::log(nextUniformDouble()));
    double angle = 2 * M_PI * nextUniformDouble();
    return {radius * std::sin(angle), radius * std::cos(angle)};
  }

private:
  std::mt19937 words;
};

template <class Source> class PseudoGenerator : public Generator {
public:
  explicit PseudoGenerator(const Recipe &recipe) : source(recipe) {}

  void bits(unsigned *out, size_t n) override {
    for (size_t i = 0; i < n; ++i)
      out[i] = source.nextBits();
  }
  void bits64(unsigned long long *out, size_t n) override {
    for (size_t i = 0; i < n; ++i) {
      unsigned long long low = source.nextBits();
      out[i] = (unsigned long long)source.nextBits() << 32 | low;
    }
  }
  void uniform(float *out, size_t n) override {
    for (size_t i = 0; i < n; ++i)
      out[i] = source.nextUniform();
  }
  void uniform(double *out, size_t n) override {
    for (size_t i = 0; i < n; ++i)
      out[i] = source.nextUniformDouble();
  }
  void normal(float *out, size_t n, float mean, float deviation) override {
    for (size_t i = 0; i + 1 < n; i += 2) {
      float2 pair = source.nextNormals();
      out[i] = mean + deviation * pair.x;
      out[i + 1] = mean + deviation * pair.y;
    }
  }
  void normal(double *out, size_t n, double mean, double deviation) override {
    for (size_t i = 0; i + 1 < n; i += 2) {
      double2 pair = source.nextNormalsDouble();
      out[i] = mean + deviation * pair.x;
      out[i + 1] = mean + deviation * pair.y;
    }
  }
  void poisson(unsigned *out, size_t n, double lambda) override {
    draw(out, n, std::poisson_distribution<long long>(lambda));
  }
  void binomial(unsigned *out, size_t n, unsigned trials, double p) override {
    draw(out, n, std::binomial_distribution<long long>(trials, p));
  }

private:
  /// The words, as the standard library takes them.
  struct Words {
    using result_type = unsigned;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return ~0u; }
    unsigned operator()() { return source.nextBits(); }
    Source &source;
  };
  template <class Distribution> void draw(unsigned *out, size_t n, Distribution distribution) {
    Words words = {source};
    for (size_t i = 0; i < n; ++i)
      out[i] = unsigned(distribution(words));
  }

  Source source;
};

} // namespace

std::unique_ptr<Generator> makePseudo(const Recipe &recipe) {
  switch (recipe.type) {
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return std::make_unique<PseudoGenerator<Subsequences<curandStateMRG32k3a, 4096>>>(recipe);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return std::make_unique<PseudoGenerator<Subsequences<curandStatePhilox4_32_10_t, 1>>>(recipe);
  case CURAND_RNG_PSEUDO_MTGP32:
  case CURAND_RNG_PSEUDO_MT19937:
    return std::make_unique<PseudoGenerator<Twister>>(recipe);
  default:
    return std::make_unique<PseudoGenerator<Subsequences<curandStateXORWOW, 4096>>>(recipe);
  }
}

} // namespace regrain::curand
