//===- device_limits.cu - What a device reaches -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the JSON 'regrain-limits' (docs/report-schema.md) for the roofline of regrain report: the
// bytes per second of the device's own copy, read and written ones together, and the operations per
// second of fused multiply-adds in registers, on numbers of 32 and of 64 bits.
//
// usage: device_limits [MIB]
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

static void check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  fprintf(stderr, "device_limits: %s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}

constexpr int steps = 1024;
constexpr int chains = 8; ///< independent ones of a thread

/// The sum is stored, so that nothing is left out.
template <typename Number> __global__ void multiplyAdd(Number *out, Number factor) {
  Number sums[chains];
  for (int i = 0; i < chains; ++i)
    sums[i] = Number(threadIdx.x + i);
  for (int step = 0; step < steps; ++step)
    for (int i = 0; i < chains; ++i)
      sums[i] = fma(sums[i], factor, Number(1));
  Number sum = 0;
  for (int i = 0; i < chains; ++i)
    sum += sums[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Returns the seconds of the fastest of some runs.
template <typename Work> static double fastest(const Work &work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  float least = 0;
  for (int run = 0; run < 10; ++run) {
    check(cudaEventRecord(begin), "cudaEventRecord");
    work();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    if (run == 0 || milliseconds < least)
      least = milliseconds;
  }
  return least / 1e3;
}

/// Returns the operations of a second.
template <typename Number> static double multiplyAddRate(int multiprocessors) {
  constexpr int threads = 256;
  int blocks = multiprocessors * 32;
  Number *sums;
  check(cudaMalloc(&sums, size_t(blocks) * threads * sizeof(Number)), "cudaMalloc");
  double seconds = fastest([&] { multiplyAdd<Number><<<blocks, threads>>>(sums, Number(0.5)); });
  check(cudaGetLastError(), "multiplyAdd");
  check(cudaFree(sums), "cudaFree");
  return 2.0 * steps * chains * threads * blocks / seconds;
}

int main(int argc, char **argv) {
  long mebibytes = argc > 1 ? atol(argv[1]) : 1024;
  if (mebibytes < 1) {
    fprintf(stderr, "device_limits: '%s' is no number of MiB\n", argv[1]);
    return 1;
  }
  size_t bytes = size_t(mebibytes) << 20;
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  char *from, *to;
  check(cudaMalloc(&from, bytes), "cudaMalloc");
  check(cudaMalloc(&to, bytes), "cudaMalloc");
  check(cudaMemset(from, 1, bytes), "cudaMemset");
  double copy = fastest([&] {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
  });

  int multiprocessors = device.multiProcessorCount;
  double singles = multiplyAddRate<float>(multiprocessors);
  double doubles = multiplyAddRate<double>(multiprocessors);
  printf("{\n  \"schema\": \"regrain-limits\",\n  \"version\": {\"major\": 1, \"minor\": 1},\n"
         "  \"devices\": [\n    {\n      \"device\": \"%s\",\n      \"multiprocessors\": %d,\n"
         "      \"copy_bytes_per_second\": %.6g,\n      \"float_operations_per_second\": %.6g,\n"
         "      \"double_operations_per_second\": %.6g,\n"
         "      \"how\": \"device-to-device copy of %ld MiB, and fused multiply-adds in registers; "
         "the "
         "fastest of 10 runs\"\n    }\n  ]\n}\n",
         device.name, multiprocessors, 2.0 * double(bytes) / copy, singles, doubles, mebibytes);
  return 0;
}
