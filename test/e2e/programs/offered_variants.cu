//===- offered_variants.cu - Variants that the source offers ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each variant computes what its original computes, at its own launch, with and without other
// pieces of a grain. Launches that a rule leaves out, or that are not as it says of the original,
// run the original.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu -o %t.plain %s
// RUN: timeout 60 %t.plain | FileCheck %s --check-prefix=PLAIN
// PLAIN: transpose: 0 blocks by 8, 39 by 16, 0 by 32; sums: 0 by 8, 16 by 32, 0 by 128
// RUN: %regrain cc -O3 --targets=cpu --alternatives=2 -o %t %s \
// RUN:   --coarsen='*original:variant=transpose<8>' 2> %t.err
// RUN: timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='transpose<16>:variant=transpose<32>;sums<32>:variant=sums<128>' \
// RUN:   REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS-DAG: transpose<16>({{.*}}): variant=transpose<32> (asked for by REGRAIN_ALTERNATIVE), else original
// RUNS-DAG: variant=transpose<32> does not run for this launch, because the source's rule says that the original is launched in another way for these arguments
// RUNS-DAG: sums<32>({{.*}}): variant=sums<128> (asked for by REGRAIN_ALTERNATIVE), else original
// RUNS-DAG: variant=sums<128> does not run for this launch, because the source's rule leaves out such launches
// RUNS: transpose: 0 blocks by 8, 8 by 16, 10 by 32; sums: 0 by 8, 4 by 32, 12 by 128
// RUNS: offered_variants: ok
// RUN: env REGRAIN_ALTERNATIVE='transpose<16>:variant=transpose<64>;sums<32>:variant=eight' \
// RUN:   REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE-DAG: variant=transpose<64> does not run for this launch, because the grain needs more threads
// LARGE-DAG: sums<32>({{.*}}): variant=eight (asked for
// LARGE: transpose: 0 blocks by 8, 39 by 16, 0 by 32; sums: 16 by 8, 0 by 32, 0 by 128
// LARGE: offered_variants: ok

// A grain of a variant: its blocks and threads are joined.
// RUN: %regrain cc -O3 --targets=cpu -o %t.grains %s \
// RUN:   --coarsen='transpose<16>:variant=transpose<8>,block.x=2,thread.y=4' \
// RUN:   --coarsen='sums<32>:variant=eight,block.x=3:remainder'
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.grains 2>&1 | FileCheck %s --check-prefix=GRAINS
// GRAINS-DAG: transpose<16>({{.*}}): variant=transpose<8>,block.x=2,thread.y=4 (chosen when compiled), else original
// GRAINS-DAG: sums<32>({{.*}}): variant=eight,block.x=3:remainder (chosen when compiled), else original
// GRAINS: transpose: 118 blocks by 8, 8 by 16, 0 by 32; sums: 16 by 8, 0 by 32, 0 by 128
// GRAINS: offered_variants: ok
#include "expect.h"

#include <regrain/variants.h>

/// Blocks that ran, by the number of an instance.
__device__ int transposed[65], added[129];

template <int Tile>
__global__ void transpose(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  if (x < columns && y < rows)
    tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x, y = blockIdx.x * Tile + threadIdx.y;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicAdd(&transposed[Tile], 1);
}

template <int Tile>
constexpr regrain::launch tiles(regrain::launch, const float *, float *, int rows, int columns) {
  return {dim3(regrain::ceil_div(columns, Tile), regrain::ceil_div(rows, Tile)), dim3(Tile, Tile), 0};
}

REGRAIN_VARIANTS(transpose, tiles, (16), (8), (32), (64));
// Several kernels offer the same one.
REGRAIN_VARIANTS(transpose, tiles, (32), (8), (64));

__constant__ float scale;

/// Adds up rows, each by one block.
template <int Threads> __global__ void sums(const float *in, float *out, int n) {
  extern __shared__ float parts[];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += Threads)
    sum += in[blockIdx.x * n + i] * scale;
  parts[threadIdx.x] = sum;
  for (int half = Threads / 2; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x)
    return;
  out[blockIdx.x] = parts[0];
  atomicAdd(&added[Threads], 1);
}

/// The same by eight threads, without shared memory.
__global__ void eight(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 8)
    sum += in[blockIdx.x * n + i] * scale;
  for (int half = 4; half; half /= 2)
    sum += __shfl_down_sync(0xff, sum, half, 8);
  if (threadIdx.x)
    return;
  out[blockIdx.x] = sum;
  atomicAdd(&added[8], 1);
}

/// Branches, a switch, a loop and a division that is not always possible are part of a rule.
template <int Threads>
constexpr regrain::launch rows(regrain::launch given, const float *, float *, int n) {
  if (n < Threads)
    return regrain::not_offered();
  unsigned bytes = 0;
  for (int i = 0; i < 4; ++i)
    bytes += Threads;
  switch (n) {
  case 200:
    return {given.grid, dim3(Threads), bytes + 4};
  case 201:
    return {given.grid, dim3(Threads), bytes + 24};
  case 202:
    return {given.grid, dim3(Threads), bytes + 16};
  case 203:
    return {given.grid, dim3(Threads), bytes + 12};
  }
  return {dim3(given.grid.x / (n > 1000 ? n / n : 1)), dim3(Threads), bytes};
}

REGRAIN_VARIANT_WITHIN(16, sums<32>, sums<128>, rows<128>);
REGRAIN_VARIANT_WITHIN(16, sums<32>, eight, [](regrain::launch given, const float *, float *, int) {
  return regrain::launch{given.grid, dim3(8), 0};
});

void checkTranspose(int rows, int columns, int launchedRows) {
  std::vector<float> in(rows * columns);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i);
  DeviceArray<float> from(in), to(std::vector<float>(in.size(), -1.0f));
  transpose<16><<<dim3((columns + 15) / 16, (launchedRows + 15) / 16), dim3(16, 16)>>>(
      from, to, rows, columns);
  std::vector<float> out = to.host();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x)
      expectEqual("transposed", y * columns + x, out[x * rows + y],
                  y < launchedRows ? float(y * columns + x) : -1.0f);
}

void checkSums(int rows, int n) {
  std::vector<float> in(rows * n);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i % 7);
  DeviceArray<float> from(in), to(rows);
  sums<32><<<rows, 32, 32 * sizeof(float)>>>(from, to, n);
  std::vector<float> out = to.host();
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += 2 * in[row * n + i];
    expectEqual("sum", row, out[row], sum);
  }
}

int main() {
  float two = 2;
  CHECK(cudaMemcpyToSymbol(scale, &two, sizeof(two)));
  checkTranspose(70, 45, 70);
  checkTranspose(64, 64, 64);
  checkTranspose(64, 64, 32); // not all rows: tiles<16> says otherwise
  checkSums(7, 1500);
  checkSums(5, 200);
  checkSums(4, 100); // rows<128> leaves this out
  int tiles[65], threads[129];
  CHECK(cudaMemcpyFromSymbol(tiles, transposed, sizeof(tiles)));
  CHECK(cudaMemcpyFromSymbol(threads, added, sizeof(threads)));
  printf("transpose: %d blocks by 8, %d by 16, %d by 32; sums: %d by 8, %d by 32, %d by 128\n",
         tiles[8], tiles[16], tiles[32], threads[8], threads[32], threads[128]);
  return verdict("offered_variants");
}
