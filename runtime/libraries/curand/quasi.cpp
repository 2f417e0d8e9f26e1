//===- quasi.cpp - Quasirandom generators ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/curand/directions.h"
#include "runtime/libraries/curand/generator.h"

#include "curand_kernel.h"

#include <cmath>
#include <vector>

namespace regrain::curand {
namespace {

/// The first n / dimensions numbers are those of dimension 1, and so on.
template <class State> class Sobol : public Generator {
public:
  Sobol(const Recipe &recipe, void (*initialise)(unsigned, unsigned long long, State &))
      : states(recipe.dimensions) {
    for (unsigned dimension = 0; dimension < recipe.dimensions; ++dimension)
      initialise(dimension, recipe.offset, states[dimension]);
  }
  void bits(unsigned *out, size_t n) override {
    fill(out, n, [](State &state) { return unsigned(::curand(&state)); });
  }
  void bits64(unsigned long long *out, size_t n) override {
    fill(out, n, [](State &state) { return (unsigned long long)::curand(&state); });
  }
  void uniform(float *out, size_t n) override {
    fill(out, n, [](State &state) { return curand_uniform(&state); });
  }
  void uniform(double *out, size_t n) override {
    fill(out, n, [](State &state) { return curand_uniform_double(&state); });
  }
  void normal(float *out, size_t n, float mean, float deviation) override {
    fill(out, n, [=](State &state) { return mean + deviation * curand_normal(&state); });
  }
  void normal(double *out, size_t n, double mean, double deviation) override {
    fill(out, n, [=](State &state) { return mean + deviation * curand_normal_double(&state); });
  }
  void poisson(unsigned *out, size_t n, double lambda) override {
    fill(out, n, [=](State &state) { return curand_poisson(&state, lambda); });
  }
  /// By inversion: one number of the sequence for each.
  void binomial(unsigned *out, size_t n, unsigned trials, double p) override {
    fill(out, n, [=](State &state) {
      double left = curand_uniform_double(&state);
      double odds = p / (1 - p), probability = std::pow(1 - p, trials);
      unsigned successes = 0;
      while (successes < trials && left > probability) {
        left -= probability;
        probability *= odds * (trials - successes) / (successes + 1);
        ++successes;
      }
      return successes;
    });
  }

private:
  template <class T, class Draw> void fill(T *out, size_t n, Draw draw) {
    size_t each = n / states.size();
    for (size_t dimension = 0; dimension < states.size(); ++dimension)
      for (size_t i = 0; i < each; ++i)
        out[dimension * each + i] = draw(states[dimension]);
  }

  std::vector<State> states;
};

} // namespace

std::unique_ptr<Generator> makeQuasi(const Recipe &recipe) {
  using Offset = unsigned long long;
  switch (recipe.type) {
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    return std::make_unique<Sobol<curandStateScrambledSobol32_t>>(
        recipe, [](unsigned dimension, Offset offset, curandStateScrambledSobol32_t &state) {
          curand_init(directions32().vectors[dimension], directions32().scrambles[dimension],
                      unsigned(offset), &state);
        });
  case CURAND_RNG_QUASI_SOBOL64:
    return std::make_unique<Sobol<curandStateSobol64_t>>(
        recipe, [](unsigned dimension, Offset offset, curandStateSobol64_t &state) {
          curand_init(directions64().vectors[dimension], offset, &state);
        });
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return std::make_unique<Sobol<curandStateScrambledSobol64_t>>(
        recipe, [](unsigned dimension, Offset offset, curandStateScrambledSobol64_t &state) {
          curand_init(directions64().vectors[dimension], directions64().scrambles[dimension],
                      offset, &state);
        });
  default:
    return std::make_unique<Sobol<curandStateSobol32_t>>(
        recipe, [](unsigned dimension, Offset offset, curandStateSobol32_t &state) {
          curand_init(directions32().vectors[dimension], unsigned(offset), &state);
        });
  }
}

} // namespace regrain::curand
