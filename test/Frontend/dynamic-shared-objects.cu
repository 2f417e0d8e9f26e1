//===- dynamic-shared-objects.cu - Objects in dynamic memory ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// `extern __shared__` may declare an object, or an array of known length, at the start of the
// dynamic shared memory.
// RUN: %regrain cc -w --targets=cpu --emit=llvm -o %t.ll %s
// RUN: FileCheck-19 %s --input-file=%t.ll
// RUN: %regrain cc -Wall --targets=cpu %s -o %t 2>&1 | count 0
// RUN: %t
// RUN: %regrain cc --targets=cpu -rdc=true %s -o %t && %t

// CHECK-DAG: @{{.*}}object{{.*}} = external addrspace(3) global [0 x i8], align 4
// CHECK-DAG: @{{.*}}tile{{.*}} = external addrspace(3) global [0 x i8], align 128
// CHECK-DAG: @{{.*}}values{{.*}} = external addrspace(3) global [0 x i8], align 4
// CHECK-DAG: @{{.*}}constructed{{.*}} = external addrspace(3) global [0 x i8], align 8
// CHECK-DAG: @{{.*}}common{{.*}} = external addrspace(3) global [0 x i8], align 4
// CHECK-DAG: @{{.*}}fixed{{.*}}object = internal addrspace(3) global %struct.Object

struct Object {
  int value[32];
};
template <int N> struct Tile {
  alignas(128) int left[N];
  int right[N];
};
struct Constructed {
  long value;
  __device__ Constructed() : value(5) {}
};

__global__ void plain(int *out) {
  extern __shared__ Object object;
  object.value[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  out[threadIdx.x] = object.value[31 - threadIdx.x];
}

template <int N> __global__ void tiled(int *out) {
  extern __shared__ Tile<N> tile;
  tile.left[threadIdx.x] = threadIdx.x;
  tile.right[threadIdx.x] = 100 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile.left[N - 1 - threadIdx.x] + tile.right[threadIdx.x ^ 1];
}

__global__ void array(int *out) {
  extern __shared__ int values[32];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 3];
}

__global__ void built(int *out) {
  extern __shared__ Constructed constructed;
  if (threadIdx.x == 0)
    constructed.value = 7;
  __syncthreads();
  out[threadIdx.x] = constructed.value;
}

// The same object again.
__global__ void other(int *out) {
  extern __shared__ Object object;
  object.value[threadIdx.x] = 5 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = object.value[threadIdx.x ^ 1];
}

extern __shared__ Object common;
extern __shared__ Constructed alsoConstructed;
__global__ void atNamespace(int *out) {
  common.value[threadIdx.x] = 3 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = common.value[threadIdx.x ^ 2] + (alsoConstructed.value < 0);
}

__global__ void fixed(int *out) {
  __shared__ Object object;
  object.value[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = object.value[threadIdx.x ^ 1];
}

int main() {
  int *out, wrong = 0;
  cudaMallocManaged(&out, 64 * sizeof(int));
  auto check = [&](int threads, auto expected) {
    if (cudaDeviceSynchronize() != cudaSuccess)
      ++wrong;
    for (int i = 0; i < threads; ++i)
      wrong += out[i] != expected(i);
  };
  plain<<<1, 32, sizeof(Object)>>>(out);
  check(32, [](int i) { return 32 - i; });
  tiled<64><<<1, 64, sizeof(Tile<64>)>>>(out);
  check(64, [](int i) { return 63 - i + 100 * (i ^ 1); });
  array<<<1, 32, 32 * sizeof(int)>>>(out);
  check(32, [](int i) { return i ^ 3; });
  built<<<1, 32, sizeof(Constructed)>>>(out);
  check(32, [](int) { return 7; });
  other<<<1, 32, sizeof(Object)>>>(out);
  check(32, [](int i) { return 5 * (i ^ 1); });
  atNamespace<<<1, 32, sizeof(Object)>>>(out);
  check(32, [](int i) { return 3 * (i ^ 2); });
  fixed<<<1, 32>>>(out);
  check(32, [](int) { return 2; });
  return wrong != 0;
}
