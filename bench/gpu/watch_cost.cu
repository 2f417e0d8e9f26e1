//===- watch_cost.cu - Launches at a steady rate ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: watch_cost LAUNCHES STEPS
//
// Launches one kernel repeatedly, waits for the device from time to time as programs do, and
// prints one JSON object: the wall clock and the work of the process's threads in microseconds per
// launch. STEPS is the length of a thread's work. Checks the result, and exits with 1 if it is
// wrong.
//
//===----------------------------------------------------------------------===//
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int elements = 4096, threads = 128, launchesPerWait = 100;

__global__ void step(unsigned *data, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = data[i];
  for (int s = 0; s < steps; ++s)
    value = value * 1664525u + 1013904223u;
  data[i] = value;
}

void check(cudaError_t status, const char *call) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check((call), #call)

double workMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

} // namespace

int main(int argc, char **argv) {
  int launches = argc > 1 ? std::atoi(argv[1]) : 100000, steps = argc > 2 ? std::atoi(argv[2]) : 16;
  unsigned *data = nullptr;
  CHECK(cudaMalloc(&data, elements * sizeof(unsigned)));
  CHECK(cudaMemset(data, 0, elements * sizeof(unsigned)));
  step<<<elements / threads, threads>>>(data, steps); // loads code
  CHECK(cudaDeviceSynchronize());
  double work = workMicroseconds();
  auto start = std::chrono::steady_clock::now();
  for (int i = 1; i <= launches; ++i) {
    step<<<elements / threads, threads>>>(data, steps);
    if (i % launchesPerWait == 0)
      CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaDeviceSynchronize());
  std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
  work = workMicroseconds() - work;
  std::vector<unsigned> values(elements);
  CHECK(cudaMemcpy(values.data(), data, elements * sizeof(unsigned), cudaMemcpyDeviceToHost));
  unsigned expected = 0;
  for (long s = 0; s < long(launches + 1) * steps; ++s)
    expected = expected * 1664525u + 1013904223u;
  for (unsigned value : values)
    if (value != expected)
      return 1;
  std::printf("{\"wall_us\": %.5f, \"work_us\": %.5f}\n", wall.count() / launches, work / launches);
  return 0;
}
