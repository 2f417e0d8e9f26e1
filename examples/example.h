//===- example.h - What the examples have in common --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every example is called as
//   PROGRAM [SIZE ...] [--repeat N] [--output FILE]
// prints one line, exits with 0 only where its result agrees with a plain C++
// reference, with 1 where it does not, and with 2 on a wrong call or a CUDA error.
//   --repeat N     runs the kernels N times from the same input and prints their
//                  times as one more line, a JSON object
//   --output FILE  writes the result's bytes, to compare two builds bit by bit
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) example::check((call), #call, __FILE__, __LINE__)

namespace example {

inline void check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  exit(2);
}

struct Options {
  std::vector<int> sizes;
  int repeat = 1;
  bool timed = false;
  const char *output = nullptr;
};

/// Reads the command line; `sizes` holds the defaults, `names` their names for the
/// usage line. A wrong call ends the program with 2.
inline Options parse(int argc, char **argv, std::vector<int> sizes, const char *names) {
  Options options;
  options.sizes = sizes;
  size_t given = 0;
  bool valid = true;
  auto positive = [&](const char *text) {
    char *end = nullptr;
    long value = strtol(text, &end, 10);
    valid = valid && end != text && !*end && value > 0 && value <= INT32_MAX;
    return static_cast<int>(value);
  };
  for (int i = 1; i < argc && valid; ++i) {
    if (!strcmp(argv[i], "--repeat") && i + 1 < argc) {
      options.repeat = positive(argv[++i]);
      options.timed = true;
    } else if (!strcmp(argv[i], "--output") && i + 1 < argc) {
      options.output = argv[++i];
    } else if (given < sizes.size()) {
      options.sizes[given++] = positive(argv[i]);
    } else {
      valid = false;
    }
  }
  if (!valid) {
    fprintf(stderr, "usage: %s [%s] [--repeat N] [--output FILE]\n", argv[0], names);
    exit(2);
  }
  return options;
}

/// The same sequence everywhere: a 64-bit linear congruential generator.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint32_t bits() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>(state >> 32);
  }
  /// At least 0, less than `end`.
  uint32_t below(uint32_t end) { return bits() % end; }
  /// At least 0, less than 1, a multiple of 2^-24.
  float unit() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }

private:
  uint64_t state;
};

/// Times what is launched between start() and stop().
class KernelTimer {
public:
  KernelTimer() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  ~KernelTimer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  KernelTimer(const KernelTimer &) = delete;
  KernelTimer &operator=(const KernelTimer &) = delete;

  void start() { CHECK(cudaEventRecord(begin)); }
  void stop() {
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds);
  }
  /// {"program": NAME, "kernel_ms": [...]}
  void print(const char *program) const {
    printf("{\"program\": \"%s\", \"kernel_ms\": [", program);
    for (size_t i = 0; i < times.size(); ++i)
      printf("%s%.6f", i ? ", " : "", times[i]);
    printf("]}\n");
  }

private:
  cudaEvent_t begin, end;
  std::vector<float> times;
};

template <class T> T *upload(const std::vector<T> &data) {
  T *device = nullptr;
  CHECK(cudaMalloc(&device, data.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T> std::vector<T> download(const T *device, size_t count) {
  std::vector<T> data(count);
  CHECK(cudaMemcpy(data.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return data;
}

/// The largest difference, relative to the reference's largest magnitude; infinite
/// where one of the two is not a number.
template <class T>
double largestError(const std::vector<T> &result, const std::vector<T> &reference) {
  double scale = 0, worst = 0;
  for (size_t i = 0; i < reference.size(); ++i) {
    double difference = fabs(static_cast<double>(result[i]) - static_cast<double>(reference[i]));
    if (!(difference <= worst))
      worst = difference == difference ? difference : HUGE_VAL;
    scale = fmax(scale, fabs(static_cast<double>(reference[i])));
  }
  return scale > 0 ? worst / scale : worst;
}

template <class T> void write(const Options &options, const std::vector<T> &result) {
  if (!options.output)
    return;
  FILE *file = fopen(options.output, "wb");
  bool written = file && fwrite(result.data(), sizeof(T), result.size(), file) == result.size();
  if (file && fclose(file))
    written = false;
  if (!written) {
    perror(options.output);
    exit(2);
  }
}

/// Writes the output, prints the one line and returns the exit code. `allowed` is the
/// largest error that agrees; 0 asks for equality.
template <class T>
int finish(const Options &options, const KernelTimer &timer, const char *program,
           const char *problem, const std::vector<T> &result, const std::vector<T> &reference,
           double allowed) {
  write(options, result);
  double error = largestError(result, reference);
  bool agrees = error <= allowed;
  printf("%s %s: %s the reference (largest error %.2g, allowed %.2g)\n", program, problem,
         agrees ? "agrees with" : "DIFFERS from", error, allowed);
  if (options.timed)
    timer.print(program);
  return agrees ? 0 : 1;
}

} // namespace example
