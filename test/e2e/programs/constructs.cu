//===- constructs.cu - Constructs of kernels, at every grain ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is one kernel for each construct of docs/constructs.md that has no program of
// its own. What each writes is printed; every grain must print what the original does.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O1 -o %t %s --coarsen='*:block.x=3' --coarsen='*:thread.x=2' \
// RUN:   --coarsen='*:thread.x=4:contiguous' --coarsen='*:fuse.x=2' --coarsen='*:shape=32' \
// RUN:   --coarsen='*:block.x=2,thread.x=2'
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3' timeout 60 %t | diff %t.original -
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t | diff %t.original -
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous' timeout 60 %t | diff %t.original -
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t | diff %t.original -
// RUN: env REGRAIN_ALTERNATIVE='*:shape=32' timeout 60 %t | diff %t.original -
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,thread.x=2' timeout 60 %t | diff %t.original -
#include "expect.h"

constexpr int threads = 64, blocks = 7, count = threads * blocks;

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int mirror() { return blockDim.x - 1 - threadIdx.x; }

struct Part {
  int values[7];
  double weight;
};
struct Whole {
  Part parts[3];
  char tag;
};
__constant__ Whole constantWhole;
__device__ int total;
static __device__ int perResidue[16];

__global__ void valueParameter(int *out, Whole whole) {
  int index = globalIndex();
  whole.parts[index % 3].values[index % 7] += index;
  whole.tag += 1;
  int sum = whole.tag;
  for (const Part &part : whole.parts)
    for (int value : part.values)
      sum = sum * 3 + value + int(part.weight);
  out[index] = sum + constantWhole.parts[index % 3].values[threadIdx.x % 7];
}

__global__ void scopes(int *out) {
  int index = globalIndex();
  atomicAdd(out, index);
  atomicAdd_block(out + 1, 1);
  atomicMax_system(out + 2, index * 7 % 101);
  atomicXor(out + 3, index * 3);
  atomicInc(reinterpret_cast<unsigned *>(out + 4), 6);
  atomicAdd(reinterpret_cast<float *>(out + 5), 1.0f);
}

__device__ void addByExchange(double *place, double value) {
  auto *word = reinterpret_cast<unsigned long long *>(place);
  unsigned long long seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __double_as_longlong(value + __longlong_as_double(expected)));
  } while (seen != expected);
}

__global__ void exchangeLoop(int *out) {
  addByExchange(reinterpret_cast<double *>(out) + globalIndex() % 3, 1.0);
}

__global__ void volatileExchange(int *out) {
  __shared__ volatile int shared[threads];
  shared[threadIdx.x] = globalIndex();
  __syncthreads();
  out[globalIndex()] = shared[mirror()];
}

__device__ __noinline__ int swapOver(int *shared, int value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  int other = shared[mirror()];
  __syncthreads();
  return other;
}

__global__ void barrierInCallee(int *out) {
  __shared__ int shared[threads];
  int value = swapOver(shared, globalIndex());
  if (blockIdx.x & 1)
    value += swapOver(shared, value * 2);
  out[globalIndex()] = value;
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void recursion(int *out) { out[globalIndex()] = fibonacci(threadIdx.x % 12); }

__device__ int rotate(int depth, int *shared) {
  if (depth == 0)
    return shared[mirror()];
  __syncthreads();
  return rotate(depth - 1, shared) + 1;
}

__global__ void recursiveBarrier(int *out) {
  __shared__ int shared[threads];
  shared[threadIdx.x] = globalIndex();
  out[globalIndex()] = rotate(3, shared);
}

struct Shape {
  __device__ virtual int area(int side) const = 0;
};
struct Square : Shape {
  __device__ int area(int side) const override { return side * side; }
};
struct Triangle : Shape {
  __device__ int area(int side) const override { return side * side / 2; }
};

__global__ void virtualCall(int *out) {
  Square square;
  Triangle triangle;
  const Shape *shape = &square;
  if (threadIdx.x % 3 == 0)
    shape = &triangle;
  out[globalIndex()] = shape->area(globalIndex());
}

__global__ void sharedPointer(int *out) {
  __shared__ union {
    float floats[threads];
    int ints[threads];
  } shared;
  __shared__ int *second;
  if (threadIdx.x == 0)
    second = shared.ints + 1;
  shared.floats[threadIdx.x] = globalIndex() * 0.5f;
  __syncthreads();
  out[globalIndex()] = second[threadIdx.x % (threads - 1)];
}

__global__ void sharedAllocation(int *out) {
  __shared__ int *memory;
  if (threadIdx.x == 0)
    memory = new int[threads];
  __syncthreads();
  memory[threadIdx.x] = globalIndex();
  __syncthreads();
  out[globalIndex()] = memory[mirror()];
  __syncthreads();
  if (threadIdx.x == 0)
    delete[] memory;
}

__global__ void variables(int *out) {
  static __device__ int five = 5;
  atomicAdd(&total, 1);
  atomicAdd(&perResidue[globalIndex() & 15], globalIndex());
  out[globalIndex()] = five;
}

__device__ __noinline__ void fill(int *array, int size, int value) {
  for (int i = 0; i < size; ++i)
    array[i] = i * value;
}

__global__ void escapingArray(int *out, int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds + threadIdx.x % 3; ++round) {
    int array[5];
    fill(array, 5, round + globalIndex());
    array[threadIdx.x % 5] = 1;
    for (int value : array)
      sum = sum * 2 + value;
  }
  out[globalIndex()] = sum;
}

template <class Function> __global__ void lambda(int *out, Function function) {
  out[globalIndex()] = function(globalIndex());
}

__global__ void clocks(int *out) {
  long long before = clock64();
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  out[globalIndex()] = (clock64() >= before) + 2 * (time != 0);
}

__global__ void switchAround(int *out) {
  __shared__ int shared[threads];
  shared[threadIdx.x] = globalIndex();
  int value = 0;
  switch (blockIdx.x % 3) {
  case 0:
    __syncthreads();
    value = shared[mirror()];
    break;
  case 1:
    value = 5;
    break;
  default:
    __syncthreads();
    shared[mirror()] += 1;
    __syncthreads();
    value = shared[threadIdx.x];
  }
  out[globalIndex()] = value;
}

__global__ void breakAndContinue(int *out, int limit) {
  __shared__ int shared[threads], stop;
  int value = 0;
  if (threadIdx.x == 0)
    stop = 0;
  for (int round = 0; round < 50; ++round) {
    shared[threadIdx.x] = threadIdx.x + round;
    __syncthreads();
    value += shared[(threadIdx.x + round) % threads];
    if (threadIdx.x == 3 && value > limit + 10 * blockIdx.x)
      stop = 1;
    __syncthreads();
    if (stop)
      break;
    if (round % 3 == 1)
      continue;
    value += 2;
    __syncthreads();
  }
  out[globalIndex()] = value;
}

__global__ void twoExits(int *out, int first, int second) {
  __shared__ int shared[threads];
  int tid = threadIdx.x;
  if (tid >= first)
    return;
  shared[tid] = tid * 5;
  __syncthreads();
  int value = shared[first - 1 - tid];
  if (tid >= second) {
    out[globalIndex()] = -value;
    return;
  }
  __syncthreads();
  shared[tid] = value;
  __syncthreads();
  out[globalIndex()] = shared[second - 1 - tid];
}

static void print(const char *name, int *out) {
  std::vector<int> data(count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(data.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(out, 0, count * sizeof(int)));
  printf("%s:", name);
  for (int value : data)
    printf(" %d", value);
  printf("\n");
}

int main() {
  DeviceArray<int> out(count);
  Whole whole = {};
  for (int i = 0; i < 21; ++i)
    whole.parts[i / 7].values[i % 7] = i * 3;
  whole.parts[1].weight = 2.5;
  CHECK(cudaMemcpyToSymbol(constantWhole, &whole, sizeof(whole)));
  auto run = [&](const char *name, auto kernel, auto... arguments) {
    kernel<<<blocks, threads>>>(out, arguments...);
    print(name, out);
  };
  run("valueParameter", valueParameter, whole);
  run("scopes", scopes);
  run("exchangeLoop", exchangeLoop);
  run("volatileExchange", volatileExchange);
  run("barrierInCallee", barrierInCallee);
  run("recursion", recursion);
  run("recursiveBarrier", recursiveBarrier);
  run("virtualCall", virtualCall);
  run("sharedPointer", sharedPointer);
  run("sharedAllocation", sharedAllocation);
  run("variables", variables);
  run("escapingArray", escapingArray, 3);
  run("clocks", clocks);
  run("switchAround", switchAround);
  run("breakAndContinue", breakAndContinue, 60);
  run("twoExits", twoExits, 50, 20);
  int factor = 5;
  lambda<<<blocks, threads>>>(out, [=] __device__(int index) { return index * factor; });
  print("lambda", out);
  int sums[17];
  CHECK(cudaMemcpyFromSymbol(sums, perResidue, 16 * sizeof(int)));
  CHECK(cudaMemcpyFromSymbol(sums + 16, total, sizeof(int)));
  for (int sum : sums)
    printf("%d ", sum);
  return 0;
}
