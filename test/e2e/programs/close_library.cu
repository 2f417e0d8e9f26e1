//===- close_library.cu - Closing a library while kernels run ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library is closed while a kernel of the program waits for that, and while
// one of its own kernels runs, which continues. It is opened again, and its
// variables are new.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 -DLIBRARY -shared -Xcompiler -fPIC -o %t.so %s
// RUN: %regrain cc --targets=cpu -O3 -o %t %s -ldl
// RUN: timeout 60 %t %t.so
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t %t.so
#include "expect.h"

#include <dlfcn.h>

#ifdef LIBRARY

__device__ int state = 1;
__global__ void step(int *out) { *out = state *= 3; }
__global__ void waitAndCount(volatile int *flag, int *count) {
  while (*flag == 0) {
  }
  atomicAdd(count, 1);
}

extern "C" int nextState() {
  DeviceArray<int> out(1);
  step<<<1, 1>>>(out);
  return out.host()[0];
}

extern "C" void startWaiting(int *flag, int *count, cudaStream_t stream) {
  waitAndCount<<<20, 32, 0, stream>>>(flag, count);
  CHECK(cudaGetLastError());
}

#else

__global__ void waitAndAdd(volatile int *flag, int *sum) {
  if (threadIdx.x == 0)
    while (*flag == 0) {
    }
  __syncthreads();
  atomicAdd(sum, 1);
}

int main(int argc, char **argv) {
  int *flag;
  CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  DeviceArray<int> sum(1), count(1);
  cudaStream_t own, other;
  CHECK(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  for (int round = 0; round < 3; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    auto next = library ? reinterpret_cast<int (*)()>(dlsym(library, "nextState")) : nullptr;
    auto start = library ? reinterpret_cast<void (*)(int *, int *, cudaStream_t)>(
                               dlsym(library, "startWaiting"))
                         : nullptr;
    if (!next || !start) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    expectEqual("state", round, next(), 3);
    expectEqual("state", round, next(), 9);
    *static_cast<volatile int *>(flag) = 0;
    waitAndAdd<<<10, 64, 0, own>>>(flag, sum);
    start(flag, count, other);
    expectEqual("close", round, dlclose(library), 0);
    *static_cast<volatile int *>(flag) = 1;
    CHECK(cudaStreamSynchronize(own));
    CHECK(cudaStreamSynchronize(other));
  }
  expectEqual("sum", 0, sum.host()[0], 3 * 640);
  expectEqual("count", 0, count.host()[0], 3 * 640);
  return verdict("close_library");
}

#endif
