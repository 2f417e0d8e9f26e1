//===- discrete.cpp - Tables of discrete distributions --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "curand_discrete.h"
#include "runtime/libraries/stream/submit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

namespace {

/// From here on a normal distribution is near enough.
constexpr double largestForTable = 4000;

/// A distribution and the memory of its table.
struct PoissonDistribution {
  std::vector<double> heights;
  std::vector<unsigned> others;
  curandHistogramM2_st histogram = {};
  curandDistributionM2Shift_st table = {};
  curandDiscreteDistribution_st distribution = {};
};

/// Fills columns of equal width: column j is value j up to its height, and another value above it.
/// In each step, a column that is too low is filled from the highest one.
void fillColumns(std::vector<double> left, PoissonDistribution &out) {
  size_t n = left.size();
  out.heights.resize(n);
  out.others.resize(n);
  std::vector<unsigned> low, high;
  for (size_t j = 0; j < n; ++j)
    (left[j] * double(n) < 1 ? low : high).push_back(unsigned(j));
  double width = 1 / double(n);
  for (size_t j = 0; j < n; ++j) {
    out.heights[j] = double(j + 1) * width;
    out.others[j] = unsigned(j);
  }
  while (!low.empty() && !high.empty()) {
    unsigned from = high.back(), to = low.back();
    low.pop_back();
    out.heights[to] = to * width + left[to];
    out.others[to] = from;
    left[from] -= width - left[to];
    if (left[from] < width) {
      high.pop_back();
      low.push_back(from);
    }
  }
}

/// Makes the table of the values whose probability can be seen.
void makeTable(double lambda, PoissonDistribution &out) {
  double reach = 12 * std::sqrt(lambda) + 40;
  unsigned first = unsigned(std::max(0.0, std::floor(lambda - reach)));
  unsigned length = unsigned(lambda + reach) - first + 1;
  std::vector<double> probabilities(length);
  double sum = 0;
  for (unsigned j = 0; j < length; ++j) {
    double k = first + j;
    probabilities[j] = std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
    sum += probabilities[j];
  }
  for (double &probability : probabilities)
    probability /= sum;
  fillColumns(probabilities, out);
  out.histogram.V = out.histogram.host_V = out.heights.data();
  out.histogram.K = out.histogram.host_K = out.others.data();
  out.table.histogram = out.table.host_histogram = &out.histogram;
  out.table.shift = first;
  out.table.length = length;
  out.distribution.M2 = out.distribution.host_M2 = &out.table;
}

PoissonDistribution *ownerOf(curandDiscreteDistribution_t distribution) {
  return reinterpret_cast<PoissonDistribution *>(distribution->self_host_ptr);
}

} // namespace

curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t *distribution) {
  if (!distribution || !(lambda > 0) || lambda > 400000)
    return CURAND_STATUS_OUT_OF_RANGE;
  // The table is in the host's memory.
  if (regrain::libraries::checkDevice() != cudaSuccess)
    return CURAND_STATUS_ARCH_MISMATCH;
  auto made = std::make_unique<PoissonDistribution>();
  bool hasTable = lambda < largestForTable;
  if (hasTable)
    makeTable(lambda, *made);
  made->distribution.mean = lambda;
  made->distribution.stddev = std::sqrt(lambda);
  made->distribution.method = hasTable ? CURAND_M2 : CURAND_DISCRETE_GAUSS;
  *distribution = &made->distribution;
  made->distribution.self_host_ptr = reinterpret_cast<curandDiscreteDistribution_t>(made.get());
  static_cast<void>(made.release());
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (!distribution)
    return CURAND_STATUS_OUT_OF_RANGE;
  delete ownerOf(distribution);
  return CURAND_STATUS_SUCCESS;
}
