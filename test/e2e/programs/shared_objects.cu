//===- shared_objects.cu - Objects in shared memory -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of classes with constructors and destructors, of which none runs: in kernels,
// templates, methods, lambdas, and functions of local classes.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -w --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -w --targets=cpu --coarsen='*:thread.x=2' -rdc=true -o %t.thread %s
// RUN: timeout 60 %t.thread
#include "expect.h"

constexpr int threads = 64, blocks = 6, size = threads * blocks;

__device__ int runs;

struct Counted {
  int value = 7;
  __device__ Counted() { atomicAdd(&runs, 1); }
  __device__ ~Counted() { atomicAdd(&runs, 1); }
};

struct Complex {
  float x, y;
  __host__ __device__ Complex(float x = 0, float y = 0) : x(x), y(y) {}
};

template <class T> struct Box {
  T content{};
  __host__ __device__ virtual ~Box() {}
};

/// The place of the thread with which this one exchanges its value.
__host__ __device__ int other(int i) { return i / threads * threads + threads - 1 - i % threads; }

__global__ void plain(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ Counted counted[threads], *pointer, one;
  static __shared__ dim3 sum;
  if (threadIdx.x == 0) {
    one.value = blockIdx.x;
    pointer = &one;
    sum.x = 0;
  }
  counted[threadIdx.x].value = i;
  __syncthreads();
  atomicAdd(&sum.x, 2);
  __syncthreads();
  out[i] = counted[threads - 1 - threadIdx.x].value + pointer->value + sum.x;
}

template <class T, class Value> __global__ void templated(Value *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ T shared[threads];
  reinterpret_cast<Value &>(shared[threadIdx.x]) = Value(i);
  __syncthreads();
  out[i] = reinterpret_cast<Value &>(shared[threads - 1 - threadIdx.x]);
}

template <class T> struct Exchange {
  __device__ static T reverse(T value) {
    __shared__ T shared[threads];
    shared[threadIdx.x] = value;
    __syncthreads();
    T result = shared[threads - 1 - threadIdx.x];
    __syncthreads();
    return result;
  }
};

__global__ void nested(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto lambda = [](auto value) {
    __shared__ Complex shared[threads];
    shared[threadIdx.x] = Complex(value, 1);
    __syncthreads();
    Complex result = shared[threads - 1 - threadIdx.x];
    __syncthreads();
    return result.x + result.y;
  };
  struct Local {
    __device__ static float same(float value) {
      __shared__ Complex shared[threads];
      shared[threadIdx.x].y = value;
      __syncthreads();
      return shared[threadIdx.x].y;
    }
  };
  out[i] = lambda(float(i)) + lambda(i) + Local::same(3) + Exchange<Complex>::reverse(Complex(i)).x;
}

template <class T, class Value> void testTemplated(const char *name) {
  DeviceArray<Value> out(size);
  templated<T, Value><<<blocks, threads>>>(out);
  std::vector<Value> result = out.host();
  for (int i = 0; i < size; ++i)
    expectEqual(name, i, result[i], Value(other(i)));
}

int main() {
  DeviceArray<int> integers(size);
  plain<<<blocks, threads>>>(integers);
  std::vector<int> result = integers.host();
  for (int i = 0; i < size; ++i)
    expectEqual("plain", i, result[i], other(i) + i / threads + 2 * threads);

  testTemplated<Counted, int>("Counted");
  testTemplated<Complex, float>("Complex");
  testTemplated<Box<double>, double>("Box");
  testTemplated<int, int>("int");

  DeviceArray<float> floats(size);
  nested<<<blocks, threads>>>(floats);
  std::vector<float> sums = floats.host();
  for (int i = 0; i < size; ++i)
    expectEqual("nested", i, sums[i], 3 * other(i) + 2 + 3);

  int count;
  CHECK(cudaMemcpyFromSymbol(&count, runs, sizeof count));
  expectEqual("constructors and destructors that ran", 0, count, 0);
  return verdict("shared_objects");
}
