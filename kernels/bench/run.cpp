//===- run.cpp - Calls of one kernel, to be timed from outside -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: PROGRAM plain|hand|queue|direct CALLS CASE...
// "queue" and "direct" are other forms of the matrix product.
// A case is norm:SCALING:ROWS:COLUMNS, swiglu:SCALING:ROWS:COLUMNS, matmul:M:N:K or copy:BYTES.
//
// Each case is called 20 times, CALLS times behind a memset of 4 bytes, and CALLS times
// behind a memset of twice the size of the second-level cache. trace.cpp records memsets
// and kernels; a memset of 8 bytes in front of the first call, and one of 12 bytes behind
// the last, tell what belongs to the case. "FLUSH bytes" tells the size of the large memset,
// and "CASE name bytes hash us" what a case must move, the hash of the results after the first
// call, and microseconds by events behind the large memset, with what events cost.
//
//===----------------------------------------------------------------------===//
#include "memory.h"
#include "regrain/kernels.h"
#ifdef REGRAIN_BY_HAND
#include "../by_hand/by_hand.h"
#endif
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

static void check(RegrainStatus status) {
  if (status == REGRAIN_SUCCESS)
    return;
  printf("FAIL %s\n", regrainKernelsError());
  exit(1);
}

struct Case {
  std::function<void()> call;
  double bytes = 0; ///< that must move
  std::vector<std::unique_ptr<Memory>> memory;
  std::vector<Memory *> results;
  Memory &add(size_t bytes) { return *memory.emplace_back(std::make_unique<Memory>(bytes)); }
};

static RegrainScaling scalingNamed(const std::string &name) {
  return name == "tensor"  ? REGRAIN_SCALE_TENSOR
         : name == "token" ? REGRAIN_SCALE_TOKEN
                           : REGRAIN_SCALE_BLOCK;
}
static size_t scalesOf(RegrainScaling scaling, size_t rows, size_t columns) {
  return scaling == REGRAIN_SCALE_TENSOR  ? 1
         : scaling == REGRAIN_SCALE_TOKEN ? rows
                                          : rows * ((columns + 127) / 128);
}

static void makeNorm(Case &c, RegrainScaling scaling, size_t rows, size_t columns, bool byHand) {
  size_t count = rows * columns;
  Memory &out = c.add(count), &scales = c.add(4 * scalesOf(scaling, rows, columns));
  Memory &input = c.add(2 * count), &residual = c.add(2 * count), &weight = c.add(2 * columns);
  scales.fill<float>([](size_t) { return 1 / 64.f; });
  input.fill<__half>([](size_t i) { return __half(unit(i, 1)); });
  residual.fill<__half>([](size_t i) { return __half(unit(i, 2)); });
  weight.fill<__half>([](size_t i) { return __half(1 + unit(i, 3) / 2); });
  c.bytes = 7.0 * count + 2.0 * columns + (scaling == REGRAIN_SCALE_TENSOR ? 4 : scales.size);
  c.results = {&out, &scales, &residual};
  auto function = [=, &out, &scales, &input, &residual, &weight] {
#ifdef REGRAIN_BY_HAND
    if (byHand)
      return check(regrainByHandRmsNormFp8(out.as<void>(), scales.as<float>(), input.as<void>(),
                                           residual.as<void>(), weight.as<void>(), rows, columns,
                                           1e-5f, scaling, nullptr));
#endif
    check(regrainRmsNormFp8(out.as<void>(), scales.as<float>(), input.as<void>(),
                            residual.as<void>(), weight.as<void>(), rows, columns, 1e-5f,
                            REGRAIN_FLOAT16, scaling, nullptr));
  };
  c.call = function;
}

static void makeSwiglu(Case &c, RegrainScaling scaling, size_t rows, size_t columns, bool byHand) {
  size_t count = rows * columns;
  Memory &out = c.add(count), &scales = c.add(4 * scalesOf(scaling, rows, columns));
  Memory &input = c.add(4 * count);
  scales.fill<float>([](size_t) { return 1 / 64.f; });
  input.fill<__half>([](size_t i) { return __half(3 * unit(i, 1)); });
  c.bytes = 5.0 * count + (scaling == REGRAIN_SCALE_TENSOR ? 4 : scales.size);
  c.results = {&out, &scales};
  c.call = [=, &out, &scales, &input] {
#ifdef REGRAIN_BY_HAND
    if (byHand)
      return check(regrainByHandSiluAndMulFp8(out.as<void>(), scales.as<float>(), input.as<void>(),
                                              rows, columns, scaling, nullptr));
#endif
    check(regrainActivationAndMulFp8(out.as<void>(), scales.as<float>(), input.as<void>(), rows,
                                     columns, REGRAIN_SILU, REGRAIN_FLOAT16, scaling, nullptr));
  };
}

static void makeMatmul(Case &c, size_t m, size_t n, size_t k) {
  size_t space = regrainMatmulFp8Workspace(m, n, k);
  Memory &out = c.add(2 * m * n), &a = c.add(m * k), &b = c.add(n * k);
  Memory &scales = c.add(8), &workspace = c.add(space);
  auto code = [](size_t i) {
    return static_cast<unsigned char>((unit(i, 1) < 0 ? 128 : 0) | int(60 * (unit(i, 2) + 1)));
  };
  a.fill<unsigned char>([=](size_t i) { return code(i + 12345); });
  b.fill<unsigned char>(code);
  scales.fill<float>([](size_t) { return 1 / 64.f; });
  c.bytes = double(m * k + n * k + 2 * m * n);
  c.results = {&out};
  c.call = [=, &out, &a, &b, &scales, &workspace] {
    check(regrainMatmulFp8(out.as<void>(), a.as<void>(), b.as<void>(), scales.as<float>(), 0,
                           scales.as<float>() + 1, 0, m, n, k, REGRAIN_FLOAT16,
                           workspace.as<void>(), space, nullptr));
  };
}

static void makeCopy(Case &c, size_t bytes) {
  size_t half = std::max<size_t>(bytes / 2 & ~size_t(255), 256);
  Memory &from = c.add(half), &to = c.add(half);
  c.bytes = double(2 * half);
  c.call = [half, &from, &to] {
    check(cudaMemcpyAsync(to.as<void>(), from.as<void>(), half, cudaMemcpyDeviceToDevice));
  };
}

static std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> words(1);
  for (char c : text)
    if (c == ':')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

static bool make(Case &c, const std::vector<std::string> &words, bool byHand) {
  auto number = [&](size_t i) -> size_t {
    return i < words.size() ? strtoull(words[i].c_str(), nullptr, 10) : 0;
  };
  if (words[0] == "norm")
    makeNorm(c, scalingNamed(words[1]), number(2), number(3), byHand);
  else if (words[0] == "swiglu")
    makeSwiglu(c, scalingNamed(words[1]), number(2), number(3), byHand);
  else if (words[0] == "matmul")
    makeMatmul(c, number(1), number(2), number(3));
  else if (words[0] == "copy")
    makeCopy(c, number(1));
  return c.call != nullptr;
}

/// An event behind the memset lets the call begin when that has ended: its time is the call's
/// alone.
static void clear(const Memory &cache, size_t bytes, cudaEvent_t behind) {
  check(cudaMemsetAsync(cache.as<void>(), 0, bytes));
  check(cudaEventRecord(behind));
}

/// Microseconds of a call by events, the median of 15; the large memset is in front of each.
static double timeByEvents(const Case &c, const Memory &cache) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 15; ++i) {
    clear(cache, cache.size, begin);
    c.call();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&times.emplace_back(), begin, end));
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1000;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  bool byHand = !strcmp(argv[1], "hand");
  if (!strcmp(argv[1], "queue"))
    check(regrainChooseMatmulForm(REGRAIN_MATMUL_QUEUE));
  if (!strcmp(argv[1], "direct"))
    check(regrainChooseMatmulForm(REGRAIN_MATMUL_DIRECT));
  int calls = atoi(argv[2]);
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  Memory cache(std::max<size_t>(2 * size_t(properties.l2CacheSize), 1 << 20));
  printf("FLUSH %zu\n", cache.size);
  cudaEvent_t behind;
  check(cudaEventCreateWithFlags(&behind, cudaEventDisableTiming));
  for (int a = 3; a < argc; ++a) {
    Case c;
    if (!make(c, split(argv[a]), byHand)) {
      printf("FAIL case %s\n", argv[a]);
      return 2;
    }
    check(cudaMemsetAsync(cache.as<void>(), 0, 8));
    c.call();
    uint64_t hash = 0xcbf29ce484222325ull;
    for (Memory *result : c.results)
      hash = result->hash(hash);
    for (int i = 1; i < 20; ++i)
      c.call();
    for (size_t bytes : {size_t(4), cache.size})
      for (int i = 0; i < calls; ++i) {
        clear(cache, bytes, behind);
        c.call();
      }
    check(cudaMemsetAsync(cache.as<void>(), 0, 12));
    check(cudaDeviceSynchronize());
    double us = timeByEvents(c, cache);
    printf("CASE %s %.0f %016llx %.3f\n", argv[a], c.bytes, static_cast<unsigned long long>(hash),
           us);
  }
  return 0;
}
