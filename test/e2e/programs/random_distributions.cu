//===- random_distributions.cu - The distributions of curand_kernel.h -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels draw numbers of each distribution. Normal and uniform numbers are compared with formulas
// in double precision over the same integers; the frequencies of all are compared with the
// probabilities (chi-square). Known numbers are those of NVIDIA's header.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

// nvcc needs this for the calls on the host.
#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_kernel.h>

#include <algorithm>
#include <type_traits>

constexpr int threads = 512, perThread = 64, count = threads * perThread;
constexpr double pi = 3.14159265358979323846;

/// One number of each distribution, all from the same place of the sequence.
struct Numbers {
  float uniform, normal, logNormal;
  double uniformDouble, normalDouble, logNormalDouble;
  unsigned int poisson[3], table, rounded;
};

constexpr double lambdas[3] = {7.5, 120, 5000};

template <class State, class Draw> __device__ auto drawFrom(const State &state, Draw draw) {
  State own = state;
  return draw(&own);
}

template <class State>
__global__ void draw(Numbers *out, const State *states, curandDiscreteDistribution_t discrete) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  State state = states[thread];
  for (int i = 0; i < perThread; ++i) {
    Numbers n;
    n.uniform = drawFrom(state, [](State *s) { return curand_uniform(s); });
    n.normal = drawFrom(state, [](State *s) { return curand_normal(s); });
    n.logNormal = drawFrom(state, [](State *s) { return curand_log_normal(s, 0.5f, 0.25f); });
    n.uniformDouble = drawFrom(state, [](State *s) { return curand_uniform_double(s); });
    n.normalDouble = drawFrom(state, [](State *s) { return curand_normal_double(s); });
    n.logNormalDouble =
        drawFrom(state, [](State *s) { return curand_log_normal_double(s, 0.5, 0.25); });
    for (int k = 0; k < 3; ++k) {
      double lambda = k == 0 ? 7.5 : k == 1 ? 120 : 5000;
      n.poisson[k] = drawFrom(state, [&](State *s) { return curand_poisson(s, lambda); });
    }
    n.table = drawFrom(state, [&](State *s) { return curand_discrete(s, discrete); });
    n.rounded = drawFrom(state, [&](State *s) { return curand_discrete(s, discrete + 1); });
    out[thread * perThread + i] = n;
    /* Independent numbers for the next round. */
    for (int skipped = 0; skipped < 7; ++skipped)
      curand(&state);
  }
}

template <class State>
constexpr bool isSobol = std::is_same_v<State, curandStateSobol32_t> ||
                         std::is_same_v<State, curandStateScrambledSobol64_t>;

/// The state at which `thread` begins. The dimension of the Sobol sequences is the simplest: the
/// bits of a number are those of its Gray code, in the reverse order.
template <class State> State start(int thread) {
  State state;
  if constexpr (isSobol<State>) {
    constexpr int bits = 8 * sizeof(state.x);
    decltype(state.x) directions[bits];
    for (int i = 0; i < bits; ++i)
      directions[i] = decltype(state.x)(1) << (bits - 1 - i);
    if constexpr (bits == 32)
      curand_init(directions, thread * perThread * 7 + 1u, &state);
    else
      curand_init(directions, 0x0123456789abcdefull, thread * perThread * 7 + 1ull, &state);
  } else {
    curand_init(2024, thread, 3, &state);
  }
  return state;
}

double phi(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

/// Compares the frequencies of `bins` outcomes with their probabilities. The statistic's mean is
/// the number of bins, and its deviation is the square root of twice that.
void checkFrequencies(const char *what, const std::vector<int> &seen,
                      const std::vector<double> &probabilities, double total) {
  double statistic = 0, bins = 0, restSeen = total, restWanted = total;
  for (size_t i = 0; i < seen.size(); ++i) {
    double wanted = probabilities[i] * total;
    if (wanted < 8)
      continue;
    statistic += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    restSeen -= seen[i];
    restWanted -= wanted;
    ++bins;
  }
  restWanted = std::max(restWanted, 0.0);
  if (restWanted > 8)
    statistic += (restSeen - restWanted) * (restSeen - restWanted) / restWanted;
  expect(statistic < bins + 5 * sqrt(2 * bins) + 5, what, long(bins), statistic, bins);
  expect(restSeen < restWanted + 6 * sqrt(restWanted) + 6, what, -1, restSeen, restWanted);
}

/// 64 bins of equal probability.
template <class Get>
void checkContinuous(const char *what, const std::vector<Numbers> &numbers, Get probability) {
  std::vector<int> seen(64);
  for (const Numbers &n : numbers) {
    double p = probability(n);
    expect(p >= 0 && p <= 1, what, 0, p, 0.5);
    ++seen[std::min(63, int(p * 64))];
  }
  checkFrequencies(what, seen, std::vector<double>(64, 1.0 / 64), double(numbers.size()));
}

std::vector<double> poissonProbabilities(double lambda) {
  std::vector<double> probabilities;
  for (size_t k = 0; k < size_t(lambda + 12 * sqrt(lambda) + 10); ++k)
    probabilities.push_back(exp(k * log(lambda) - lambda - lgamma(k + 1.0)));
  return probabilities;
}

void checkPoisson(const char *what, const std::vector<Numbers> &numbers, int which) {
  double lambda = lambdas[which];
  std::vector<double> probabilities = poissonProbabilities(lambda);
  std::vector<int> seen(probabilities.size());
  for (const Numbers &n : numbers) {
    expect(n.poisson[which] < seen.size(), what, 1, n.poisson[which], lambda);
    ++seen[std::min<size_t>(n.poisson[which], seen.size() - 1)];
  }
  /* A rounded normal number is a Poisson number only approximately: the bins are wide. */
  if (lambda > 500) {
    std::vector<int> wide(40);
    std::vector<double> sums(40);
    for (size_t k = 0; k < seen.size(); ++k) {
      double z = (k - lambda) / sqrt(lambda) * 5 + 20;
      int bin = std::clamp(int(z), 0, 39);
      wide[bin] += seen[k];
      sums[bin] += phi((k + 0.5 - lambda) / sqrt(lambda)) - phi((k - 0.5 - lambda) / sqrt(lambda));
    }
    checkFrequencies(what, wide, sums, count);
    return;
  }
  checkFrequencies(what, seen, probabilities, count);
}

/// A small error of the rejection shows in many numbers, which the host draws.
void checkRejection() {
  const int many = 1 << 21;
  for (double lambda : {64.0, 700.0}) {
    curandStatePhilox4_32_10 state;
    curand_init(77, 0, 0, &state);
    std::vector<double> probabilities = poissonProbabilities(lambda);
    std::vector<int> seen(probabilities.size());
    for (int i = 0; i < many; ++i)
      ++seen[std::min<size_t>(curand_poisson(&state, lambda), seen.size() - 1)];
    checkFrequencies("rejection", seen, probabilities, many);
  }
}

void checkDiscrete(const char *what, const std::vector<Numbers> &numbers,
                   const std::vector<double> &wanted) {
  std::vector<int> seen(wanted.size()), rounded(64);
  std::vector<double> gauss;
  for (const Numbers &n : numbers) {
    ++seen[n.table - 1000];
    ++rounded[std::clamp(int(n.rounded) - 268, 0, 63)];
  }
  for (int k = 0; k < 64; ++k)
    gauss.push_back(phi((k - 32 + 0.5) / 4.0) - phi((k - 32 - 0.5) / 4.0));
  checkFrequencies(what, seen, wanted, count);
  checkFrequencies(what, rounded, gauss, count);
}

/// The formulas, in double precision. `draws` are the next integers of the sequence.
template <class State> void checkFormulas(const char *what, int i, const Numbers &n, State state) {
  using Word = decltype(curand(&state));
  constexpr bool pairs =
      std::is_same_v<State, curandState> || std::is_same_v<State, curandStatePhilox4_32_10>;
  if constexpr (pairs || isSobol<State>) {
    State copy = state;
    Word x[4];
    for (Word &word : x)
      word = curand(&copy);
    double range = ldexp(1, 8 * sizeof(Word));
    double u = (double(x[0]) + 0.5) / range;
    expect(std::fabs(n.uniform - u) <= 0x1p-24, what, i, n.uniform, u);
    double fine = u, angle;
    if constexpr (pairs) {
      fine = (x[0] ^ (unsigned long long)x[1] << 21) * 0x1p-53 + 0x1p-54;
      angle = 2 * pi * (double(x[1]) + 0.5) / range;
      expect(std::fabs(n.normal - sqrt(-2 * log(u)) * sin(angle)) < 6e-6, what, i, n.normal,
             sqrt(-2 * log(u)) * sin(angle));
      angle = 2 * pi * ((x[2] ^ (unsigned long long)x[3] << 21) * 0x1p-53 + 0x1p-54);
      double wanted = sqrt(-2 * log(fine)) * sin(angle);
      expect(std::fabs(n.normalDouble - wanted) < 1e-14, what, i, n.normalDouble, wanted);
    } else {
      expect(std::fabs(phi(n.normalDouble) - u) < 1e-15, what, i, phi(n.normalDouble), u);
      expect(std::fabs(n.normal - n.normalDouble) < 1e-6 * (1 + std::fabs(n.normal)), what, i,
             n.normal, n.normalDouble);
    }
    bool fullDouble = std::is_same_v<State, curandState> || sizeof(Word) == 8;
    double wanted = fullDouble ? fine : (double(x[0]) + 1) / range;
    expect(std::fabs(n.uniformDouble - wanted) <= 0x1p-53, what, i, n.uniformDouble, wanted);
  } else {
    State copy = state;
    double u = curand_MRG32k3a(&copy) / 4294967087.0;
    double angle = 2 * pi * curand_MRG32k3a(&copy) / 4294967087.0;
    expect(std::fabs(n.uniformDouble - u) < 1e-14, what, i, n.uniformDouble, u);
    double wanted = sqrt(-2 * log(u)) * sin(angle);
    expect(std::fabs(n.normalDouble - wanted) < 1e-13, what, i, n.normalDouble, wanted);
    expect(std::fabs(n.normal - wanted) < 1e-5, what, i, n.normal, wanted);
  }
  expect(std::fabs(n.logNormal - exp(0.5 + 0.25 * n.normal)) < 1e-6 * n.logNormal, what, i,
         n.logNormal, exp(0.5 + 0.25 * n.normal));
  expect(std::fabs(n.logNormalDouble - exp(0.5 + 0.25 * n.normalDouble)) <
             1e-14 * n.logNormalDouble,
         what, i, n.logNormalDouble, exp(0.5 + 0.25 * n.normalDouble));
}

template <class State> void check(const char *what) {
  /* Column j holds value j up to the height V[j] of all, and K[j] above. */
  std::vector<double> heights = {0.1, 0.2, 0.26, 0.45, 0.5, 0.7, 0.8, 0.95}, wanted(8);
  std::vector<unsigned int> others = {7, 6, 5, 4, 3, 2, 1, 0};
  for (int j = 0; j < 8; ++j) {
    wanted[j] += heights[j] - j / 8.0;
    wanted[others[j]] += (j + 1) / 8.0 - heights[j];
  }
  DeviceArray<double> V(heights);
  DeviceArray<unsigned int> K(others);
  DeviceArray<curandHistogramM2_st> histogram(
      std::vector<curandHistogramM2_st>{{V, nullptr, K, nullptr, 0}});
  DeviceArray<curandDistributionM2Shift_st> table(
      std::vector<curandDistributionM2Shift_st>{{histogram, nullptr, 1000, 8, 0}});
  std::vector<curandDiscreteDistribution_st> distributions(2);
  distributions[0].method = CURAND_M2;
  distributions[0].M2 = table;
  distributions[1].method = CURAND_DISCRETE_GAUSS;
  distributions[1].mean = 300;
  distributions[1].stddev = 4;
  DeviceArray<curandDiscreteDistribution_st> discrete(distributions);

  std::vector<State> states;
  for (int t = 0; t < threads; ++t)
    states.push_back(start<State>(t));
  DeviceArray<State> deviceStates(states);
  DeviceArray<Numbers> out(count);
  draw<State><<<threads / 64, 64>>>(static_cast<Numbers *>(out),
                                    static_cast<const State *>(deviceStates), discrete);
  auto got = out.host();
  for (int t = 0; t < threads; t += 37) {
    State state = states[t];
    for (int i = 0; i < perThread; ++i) {
      checkFormulas(what, t * perThread + i, got[t * perThread + i], state);
      for (int skipped = 0; skipped < 7; ++skipped)
        curand(&state);
    }
  }
  checkContinuous(what, got, [](const Numbers &n) { return n.uniform; });
  checkContinuous(what, got, [](const Numbers &n) { return n.uniformDouble; });
  checkContinuous(what, got, [](const Numbers &n) { return phi(n.normal); });
  checkContinuous(what, got, [](const Numbers &n) { return phi(n.normalDouble); });
  checkContinuous(what, got, [](const Numbers &n) { return phi((log(n.logNormal) - 0.5) / 0.25); });
  for (int which = 0; which < 3; ++which)
    checkPoisson(what, got, which);
  checkDiscrete(what, got, wanted);
}

/// A state keeps the second number of a pair for the next call of the same distribution.
template <class State> void checkPairs() {
  State state, other;
  curand_init(1, 2, 3, &state);
  other = state;
  float2 pair = curand_normal2(&other);
  expectEqual("first of a pair", 0, curand_normal(&state), pair.x);
  float2 logPair = curand_log_normal2(&other, 0.5f, 2.0f);
  expectEqual("log-normal pair", 0, curand_log_normal(&state, 0.5f, 2.0f), logPair.x);
  expectEqual("second, with its own mean", 0, curand_log_normal(&state, 9.0f, 1.0f), logPair.y);
  double2 doubles = curand_normal2_double(&other);
  expectEqual("first of a pair", 1, curand_normal_double(&state), doubles.x);
  expectEqual("second of a pair", 1, curand_normal_double(&state), doubles.y);
  expectEqual("same place", 0, curand(&state), curand(&other));
}

void checkFours() {
  for (int offset = 0; offset < 4; ++offset) {
    curandStatePhilox4_32_10 four, one;
    curand_init(5, 6, offset, &four);
    one = four;
    float4 uniform = curand_uniform4(&four);
    for (float wanted : {uniform.x, uniform.y, uniform.z, uniform.w})
      expectEqual("uniform4", offset, curand_uniform(&one), wanted);
    float4 normal = curand_normal4(&four);
    for (float wanted : {normal.x, normal.y, normal.z, normal.w})
      expectEqual("normal4", offset, curand_normal(&one), wanted);
    double4 doubles = curand_normal4_double(&four);
    for (double wanted : {doubles.x, doubles.y, doubles.z, doubles.w})
      expectEqual("normal4_double", offset, curand_normal_double(&one), wanted);
    for (double lambda : {3.0, 100.0, 6000.0}) {
      uint4 poisson = curand_poisson4(&four, lambda);
      for (unsigned int wanted : {poisson.x, poisson.y, poisson.z, poisson.w})
        expectEqual("poisson4", offset, curand_poisson(&one, lambda), wanted);
    }
    double4 logs = curand_log_normal4_double(&four, 0.0, 1.0);
    for (double wanted : {logs.x, logs.y, logs.z, logs.w})
      expectEqual("log_normal4_double", offset, curand_log_normal_double(&one, 0.0, 1.0), wanted);
    expectEqual("place after fours", offset, curand(&four), curand(&one));
  }
}

/// Numbers that NVIDIA's header gives for seed 1234 and subsequence 5.
template <class State>
void checkKnown(const char *what, float uniform, double uniformDouble, float normal,
                double normalDouble, std::initializer_list<unsigned int> poisson) {
  State start, state;
  curand_init(1234, 5, 0, &start);
  state = start;
  expectEqual(what, 0, curand_uniform(&state), uniform);
  state = start;
  expectEqual(what, 1, curand_uniform_double(&state), uniformDouble);
  state = start;
  float number = curand_normal(&state);
  expect(std::fabs(number - normal) <= 0x1p-21f * std::fabs(normal), what, 2, number, normal);
  state = start;
  double numberDouble = curand_normal_double(&state);
  expect(std::fabs(numberDouble - normalDouble) <= 0x1p-50 * std::fabs(normalDouble), what, 3,
         numberDouble, normalDouble);
  state = start;
  double lambda[] = {0.5, 10, 50, 63.9, 4001, 1e5};
  for (int i = 0; i < 6; ++i) {
    state = start;
    expectEqual(what, 4 + i, curand_poisson(&state, lambda[i]), poisson.begin()[i]);
  }
}

int main() {
  check<curandState>("XORWOW");
  check<curandStateMRG32k3a>("MRG32k3a");
  check<curandStatePhilox4_32_10>("Philox");
  check<curandStateSobol32_t>("Sobol of 32 bits");
  check<curandStateScrambledSobol64_t>("scrambled Sobol of 64 bits");
  checkPairs<curandState>();
  checkPairs<curandStateMRG32k3a>();
  checkPairs<curandStatePhilox4_32_10>();
  checkFours();
  checkRejection();
  checkKnown<curandState>("known XORWOW", 0x1.bceaccp-1f, 0x1.00a345c95664p-1, -0x1.0fdc52p-8f,
                          0x1.9b226ffc8b1abp-1, {1, 11, 54, 68, 4052, 100254});
  checkKnown<curandStateMRG32k3a>("known MRG32k3a", 0x1.37ccfep-2f, 0x1.37ccfd1a8e5abp-2,
                                  -0x1.51b0fep+0f, -0x1.51b0fdff723b3p+0,
                                  {0, 9, 45, 52, 3918, 99583});
  checkKnown<curandStatePhilox4_32_10>("known Philox", 0x1.f284e8p-1f, 0x1.f284e83ap-1,
                                       -0x1.cf2834p-3f, -0x1.a0a367270e672p-1,
                                       {2, 10, 56, 76, 3950, 99743});
  return verdict("random_distributions");
}
