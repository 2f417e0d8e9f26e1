//===- occupancy.cu - Number of resident blocks ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__global__ void __launch_bounds__(128) bounded(int *out) { out[threadIdx.x] = 1; }
__global__ void plain(int *out) { out[threadIdx.x] = 2; }

void active(const char *question, void (*kernel)(int *), int threads, size_t sharedBytes) {
  int blocks = -1;
  cudaError_t status =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, sharedBytes);
  char text[96];
  std::snprintf(text, sizeof text, "%s, %s", cudaGetErrorName(status),
                blocks > 0 ? "some" : (blocks == 0 ? "none" : "not set"));
  static_cast<void>(cudaGetLastError());
  answer(question, text);
}

} // namespace

AREA(occupancy) {
  active("128 threads", plain, 128, 0);
  active("1024 threads", plain, 1024, 0);
  active("1025 threads", plain, 1025, 0);
  active("no threads", plain, 0, 0);
  active("-1 threads", plain, -1, 0);
  active("threads beyond the bound", bounded, 256, 0);
  active("48 KiB of shared memory", plain, 64, 48 << 10);
  active("1 GiB of shared memory", plain, 64, 1 << 30);
  int blocks = 0, grid = 0, block = 0, none = 0;
  size_t bytes = 0;
  answer("to null", cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain, 128, 0));
  answer("what is no kernel", cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                                  &blocks, reinterpret_cast<const void *>(&none), 128, 0));
  answer("flags that are none",
         cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 128, 0, 0x10));
  answer("best size", cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain));
  answer("best size is whole warps", grid > 0 && block >= 32 && block % 32 == 0);
  answer("best size within a bound", cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
  answer("it is within the bound", block <= 128);
  answer("best size within a limit",
         cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 64));
  answer("it is within the limit", block <= 64);
  answer("available shared memory",
         cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 1, 128));
  answer("there is some", bytes >= (32 << 10));
  answer("available to no blocks",
         cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 0, 128));
}
