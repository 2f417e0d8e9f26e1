//===- ladder.h - A plain kernel beside versions by hand -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ladder is one source file that includes this one and defines describe(): its memory, a version
// named "plain", and, where LADDER_BY_HAND is defined, versions by hand of the same function.
// ladders.py builds it by two compilers, and tells what it measures.
//
// usage: PROGRAM CALLS VERSION:BLOCK...
// BLOCK is the number of threads in a block, which a version may ignore. The version "copy" is the
// device's own copy that reads and writes as many bytes in sum as the kernel must move.
//
// Each version is called once on fresh memory, whose results are compared with the first one's.
// It is then called up to 20 times, and up to CALLS times behind a memset: of 4 bytes, or of the
// second-level cache's size if the ladder is cold. Long calls are fewer. Memsets of 8 and of 12
// bytes stand around all this, as in kernels/bench/run.cpp. "VERSION name:block calls bytes hash
// difference" tells what a version did; the difference is the largest of samples of the results,
// over the magnitude of what it is taken from and the root of their mean square. The file in
// LADDER_SAMPLES gets the samples of the first version, as numbers of 8 bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../../kernels/bench/memory.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

namespace ladder {

class Ladder {
public:
  double bytes = 0;    ///< that a call must move
  bool isCold = false; ///< the second-level cache is overwritten before each call

  /// Memory that calls read; `make` numbers its elements.
  template <class T, class F> T *input(size_t count, F make) {
    return add<T>(count)->template fill<T>(make).template as<T>();
  }
  /// Memory that calls write in whole.
  template <class T> T *result(size_t count) {
    Memory *memory = add<T>(count);
    reset.push_back([=] { check(cudaMemset(memory->as<void>(), 0xa5, memory->size)); });
    compare<T>(memory);
    return memory->as<T>();
  }
  /// Memory that calls read and write, or of which they write a part.
  template <class T, class F> T *changed(size_t count, F make) {
    Memory *memory = add<T>(count);
    reset.push_back([=] { memory->template fill<T>(make); });
    compare<T>(memory);
    return memory->as<T>();
  }
  /// Memory whose contents behind a call do not matter.
  template <class T> T *scratch(size_t count) { return add<T>(count)->template as<T>(); }
  void version(const std::string &name, std::function<void(int block)> call) {
    versions.emplace_back(name, std::move(call));
  }

  int run(int argc, char **argv);

private:
  template <class T> Memory *add(size_t count) {
    return memory.emplace_back(std::make_unique<Memory>(count * sizeof(T))).get();
  }
  template <class T> void compare(Memory *memory);
  bool runVersion(const std::string &name, int block, int calls);
  int callsFor(const std::function<void(int)> &call, int block, int calls) const;
  double differenceFromFirst(const std::vector<double> &samples);

  std::vector<std::unique_ptr<Memory>> memory;
  std::vector<Memory *> results;
  std::vector<std::function<void()>> reset;
  std::vector<std::function<void(std::vector<double> &)>> takeSamples;
  std::vector<std::pair<std::string, std::function<void(int)>>> versions;
  std::vector<double> first;
  std::unique_ptr<Memory> cache;
};

/// Takes 8192 elements or fewer, evenly spread.
template <class T> void Ladder::compare(Memory *memory) {
  results.push_back(memory);
  takeSamples.push_back([=](std::vector<double> &samples) {
    size_t count = memory->size / sizeof(T), taken = std::min<size_t>(count, 8192);
    std::vector<T> found(taken);
    for (size_t i = 0; i < taken; ++i)
      check(cudaMemcpyAsync(&found[i], memory->as<T>() + size_t(double(count) / taken * i),
                            sizeof(T), cudaMemcpyDeviceToHost));
    check(cudaDeviceSynchronize());
    for (const T &x : found)
      samples.push_back(double(float(x)));
  });
}

inline double Ladder::differenceFromFirst(const std::vector<double> &samples) {
  if (first.empty()) {
    first = samples;
    if (const char *path = getenv("LADDER_SAMPLES")) {
      FILE *file = fopen(path, "wb");
      if (!file || fwrite(first.data(), 8, first.size(), file) != first.size() || fclose(file)) {
        printf("FAIL cannot write %s\n", path);
        exit(1);
      }
    }
  }
  double squares = 0, most = 0;
  for (double x : first)
    squares += x * x;
  double mean = std::sqrt(squares / first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    double difference = std::fabs(samples[i] - first[i]) / (std::fabs(first[i]) + mean + 1e-30);
    most = difference <= most ? most : difference; // a difference that is no number stays
  }
  return most;
}

/// As many calls as two seconds allow, but at least 5. The shorter one of two calls counts, because
/// the other one may be a launch that is tuned.
inline int Ladder::callsFor(const std::function<void(int)> &call, int block, int calls) const {
  double seconds = 1e9;
  for (int i = 0; i < 2; ++i) {
    auto began = std::chrono::steady_clock::now();
    call(block);
    check(cudaDeviceSynchronize());
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    seconds = std::min(seconds, took.count());
  }
  return std::min(calls, std::max(5, int(2 / std::max(seconds, 1e-6))));
}

inline bool Ladder::runVersion(const std::string &name, int block, int calls) {
  std::function<void(int)> call;
  for (const auto &[known, its] : versions)
    if (known == name)
      call = its;
  bool isCopy = name == "copy";
  if (!call && !isCopy)
    return false;
  std::unique_ptr<Memory> from, to;
  if (isCopy) {
    size_t half = std::max<size_t>(size_t(bytes / 2) & ~size_t(255), 256);
    from = std::make_unique<Memory>(half), to = std::make_unique<Memory>(half);
    call = [&from, &to](int) {
      check(cudaMemcpyAsync(to->as<void>(), from->as<void>(), to->size, cudaMemcpyDeviceToDevice));
    };
  }
  uint64_t hash = 0xcbf29ce484222325ull;
  double difference = 0;
  if (!isCopy) {
    for (const auto &prepare : reset)
      prepare();
    call(block);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    for (Memory *result : results)
      hash = result->hash(hash);
    std::vector<double> samples;
    for (const auto &take : takeSamples)
      take(samples);
    difference = differenceFromFirst(samples);
  }
  calls = callsFor(call, block, calls);
  check(cudaMemsetAsync(cache->as<void>(), 0, 8));
  for (int i = 0; i < std::min(calls, 20); ++i)
    call(block);
  for (int i = 0; i < calls; ++i) {
    check(cudaMemsetAsync(cache->as<void>(), 0, isCold ? cache->size : 4));
    call(block);
  }
  check(cudaMemsetAsync(cache->as<void>(), 0, 12));
  check(cudaDeviceSynchronize());
  printf("VERSION %s:%d %d %.0f %016llx %.3g\n", name.c_str(), block, calls, bytes,
         static_cast<unsigned long long>(hash), difference);
  return true;
}

inline int Ladder::run(int argc, char **argv) {
  if (argc < 3) {
    printf("usage: %s CALLS VERSION:BLOCK...\n", argv[0]);
    return 2;
  }
  setvbuf(stdout, nullptr, _IOLBF, 0);
  int cacheBytes = 0;
  check(cudaDeviceGetAttribute(&cacheBytes, cudaDevAttrL2CacheSize, 0));
  cache = std::make_unique<Memory>(std::max<size_t>(cacheBytes, 1 << 20));
  printf("FLUSH %zu\n", cache->size);
  for (int a = 2; a < argc; ++a) {
    std::string word = argv[a];
    size_t colon = word.find(':');
    if (colon == std::string::npos ||
        !runVersion(word.substr(0, colon), atoi(word.c_str() + colon + 1), atoi(argv[1]))) {
      printf("FAIL no version %s here\n", argv[a]);
      return 2;
    }
  }
  return 0;
}

} // namespace ladder

/// Each ladder defines it.
void describe(ladder::Ladder &ladder);

int main(int argc, char **argv) {
  ladder::Ladder ladder;
  describe(ladder);
  return ladder.run(argc, argv);
}
