//===- managed_variables.cu - Variables of host and device ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code and kernels access the same memory: scalars, arrays, structures, through pointers, from
// static constructors, by symbol, and across files.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O0 --targets=cpu -o %t.plain %s && timeout 60 %t.plain
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t.grains %s
// RUN: timeout 60 %t.grains
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.grains
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t.grains
// RUN: %regrain-nvcc -dc -O2 --targets=cpu %s -o %t.main.o
// RUN: %regrain-nvcc -dc -O2 --targets=cpu -DOTHER %s -o %t.other.o
// RUN: %regrain-nvcc --targets=cpu %t.other.o %t.main.o -o %t.linked && timeout 60 %t.linked
// RUN: %regrain cc -c --targets=sm_90,compute_70 --coarsen='*:block.x=2' -o %t.o %s
#include "expect.h"

constexpr int threads = 64, blocks = 8, count = threads * blocks;

struct Totals {
  int runs;
  double sums[3];
};

// The file is compiled twice if it is linked; `shared` is defined in one of the objects only.
#ifdef OTHER
__managed__ int shared[count];
static __managed__ int own = 1000;

__global__ void addOwn() { shared[blockIdx.x * blockDim.x + threadIdx.x] += own; }

void runOther() {
  own += 1;
  addOwn<<<blocks, threads>>>();
}
#else
__managed__ int base = 5;
__device__ __managed__ int squares[count] = {1, 2, 3};
__managed__ Totals totals = {7, {1.5, 2.5, 3.5}};
__managed__ char letter = 'x';
static __managed__ unsigned long long hidden;
__device__ int seed = 3;
__managed__ int *target;
__managed__ int result;

int *toBase = &base;
int *const places[3] = {&squares[2], nullptr, &base};

#ifdef __clang__
// CUDA leaves constructors that access managed variables undefined.
struct Early {
  Early() { base += 10; }
} early;
constexpr int before = 15;
#else
constexpr int before = 5;
#endif

__global__ void square() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = i * i + base;
  if (i == 0) {
    totals.runs += 1;
    totals.sums[1] += totals.sums[2];
    letter = 'y';
  }
  atomicAdd(&hidden, (unsigned long long)i);
}

__global__ void addTo(int *pointer, int by) { atomicAdd(pointer, by); }
__global__ void addToTarget() { atomicAdd(target, seed - 2); }

__host__ __device__ int twiceBase() { return 2 * base; }
__global__ void readOnBothSides(int *out) { *out = twiceBase(); }

void testAccesses() {
  expectEqual("before", 0, base, before);
  expectEqual("initial", 0, squares[2], 3);
  expectEqual("initial", 1, *places[0], 3);
  expectEqual("initial", 2, totals.sums[2], 3.5);
  base = 20;
  square<<<blocks, threads>>>();
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i)
    expectEqual("squares", i, squares[i], i * i + 20);
  expectEqual("runs", 0, totals.runs, 8);
  expectEqual("sums", 0, totals.sums[1], 6.0);
  expectEqual("letter", 0, letter, 'y');
  expectEqual("hidden", 0, hidden, count * (count - 1) / 2);
}

void testPointers() {
  addTo<<<blocks, threads>>>(&base, 1);
  target = &squares[3];
  addToTarget<<<blocks, threads>>>();
  CHECK(cudaDeviceSynchronize());
  expectEqual("base", 0, *toBase, 20 + count);
  expectEqual("base", 1, *places[2], 20 + count);
  expectEqual("target", 0, *target, 29 + count);
  readOnBothSides<<<1, 1>>>(&result);
  CHECK(cudaDeviceSynchronize());
  expectEqual("result", 0, result, twiceBase());
}

void testAttributes() {
  cudaPointerAttributes found = {};
  CHECK(cudaPointerGetAttributes(&found, &totals.sums[1]));
  expectEqual("attributes", 0, int(found.type), int(cudaMemoryTypeManaged));
  expectEqual("attributes", 1, found.devicePointer == &totals.sums[1], true);
  expectEqual("attributes", 2, found.hostPointer == &totals.sums[1], true);
  void *address = nullptr;
  CHECK(cudaGetSymbolAddress(&address, seed));
  CHECK(cudaPointerGetAttributes(&found, address));
  expectEqual("attributes", 3, int(found.type), int(cudaMemoryTypeDevice));
  expectEqual("attributes", 4, found.devicePointer == address, true);
  int local = 0;
  CHECK(cudaPointerGetAttributes(&found, &local));
  expectEqual("attributes", 5, int(found.type), int(cudaMemoryTypeUnregistered));
}

void testSymbols() {
  int four[4] = {9, 8, 7, 6}, back[2] = {};
  CHECK(cudaMemcpyToSymbol(squares, four, sizeof four, 4));
  expectEqual("squares", 4, squares[4], 6);
  CHECK(cudaMemcpyFromSymbol(back, squares, sizeof back, 8));
  expectEqual("back", 0, back[1], 7);
  void *address = nullptr;
  size_t bytes = 0;
  CHECK(cudaGetSymbolAddress(&address, squares));
  CHECK(cudaGetSymbolSize(&bytes, totals));
  expectEqual("address", 0, address == squares, true);
  expectEqual("bytes", 0, bytes, sizeof totals);
}

#ifdef __CUDACC_RDC__
extern __managed__ int shared[count];
void runOther();

void testOtherFile() {
  for (int i = 0; i < count; ++i)
    shared[i] = i;
  runOther();
  addTo<<<1, 1>>>(&shared[1], 5);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i)
    expectEqual("shared", i, shared[i], i + 1001 + (i == 1 ? 5 : 0));
}
#else
void testOtherFile() {}
#endif

int main() {
  testAccesses();
  testPointers();
  testSymbols();
  testAttributes();
  testOtherFile();
  return verdict("managed_variables");
}
#endif
