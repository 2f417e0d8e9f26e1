//===- padded_banks.cu - Rows of shared arrays in other banks ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are transposed whose elements have 1 to 16 bytes, in arrays of one to three dimensions, with
// matrices that end within a tile, indices that run over the ends of rows, wide accesses and atomic
// operations.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:banks=padded' --coarsen='*:block.x=2,block.y=3,banks=padded' \
// RUN:   --coarsen='*:thread.y=2,shared=apart,block.x=2,banks=padded' --coarsen='*:fuse.x=2,banks=padded' \
// RUN:   --coarsen='*:banks=padded,for.block=32x8x1' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:banks=padded' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,block.y=3,banks=padded' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.y=2,shared=apart,block.x=2,banks=padded' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2,banks=padded' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:banks=padded,for.block=32x8x1' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=KNOWN
//
// CHECK-DAG: transpose<float>({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: transpose<double>({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: transpose<unsigned char>({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: flat({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: layers({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: wide({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: count({{.*}}): banks=padded (asked for by REGRAIN_ALTERNATIVE)
// CHECK: padded_banks: ok
// KNOWN-DAG: transpose<short>({{.*}}): banks=padded,for.block=32x8x1 (asked for by REGRAIN_ALTERNATIVE)
// KNOWN: padded_banks: ok
#include "expect.h"

template <class T> __global__ void transpose(T *out, const T *in, int width, int height) {
  __shared__ T tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// The array has one dimension, and its rows 48 elements.
__global__ void flat(float *out, const float *in) {
  __shared__ float tile[32 * 48];
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const float *from = in + (blockIdx.y * gridDim.x + blockIdx.x) * 32 * 48;
  float *to = out + (blockIdx.y * gridDim.x + blockIdx.x) * 32 * 48;
  for (int i = thread; i < 32 * 48; i += blockDim.x * blockDim.y)
    tile[i] = from[i];
  __syncthreads();
  for (int column = threadIdx.y; column < 48; column += blockDim.y)
    to[column * 32 + threadIdx.x] = tile[threadIdx.x * 48 + column];
}

// The first loop runs over the ends of rows and layers.
__global__ void layers(int *out, const int *in) {
  __shared__ int tile[2][32][16];
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int first = (blockIdx.y * gridDim.x + blockIdx.x) * 1024;
  for (int i = thread; i < 1024; i += blockDim.x * blockDim.y)
    (&tile[0][0][0])[i] = in[first + i];
  __syncthreads();
  for (int layer = 0; layer < 2; ++layer)
    for (int column = threadIdx.y; column < 16; column += blockDim.y)
      out[first + (layer * 16 + column) * 32 + threadIdx.x] = tile[layer][threadIdx.x][column];
}

// Rows are written four elements at a time, and columns are read one by one.
__global__ void wide(int *out, const int *in) {
  __shared__ int4 tile[32][8];
  int first = (blockIdx.y * gridDim.x + blockIdx.x) * 1024;
  for (int column = threadIdx.y; column < 8; column += blockDim.y)
    tile[threadIdx.x][column] =
        reinterpret_cast<const int4 *>(in + first)[threadIdx.x * 8 + column];
  __syncthreads();
  const int *elements = &tile[0][0].x;
  for (int column = threadIdx.y; column < 32; column += blockDim.y)
    out[first + column * 32 + threadIdx.x] = elements[threadIdx.x * 32 + column];
}

// Each thread counts in a row of its own.
__global__ void count(int *out, const int *in) {
  __shared__ int bins[32][32];
  int first = (blockIdx.y * gridDim.x + blockIdx.x) * 1024;
  for (int i = threadIdx.y; i < 32; i += blockDim.y)
    bins[i][threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += blockDim.y)
    atomicAdd(&bins[threadIdx.x][in[first + i * 32 + threadIdx.x] & 31], i);
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += blockDim.y)
    out[first + i * 32 + threadIdx.x] = bins[threadIdx.x][i];
}

template <class T> static std::vector<T> numbers(size_t count) {
  std::vector<T> data(count);
  for (size_t i = 0; i < count; ++i)
    data[i] = T((i * 2654435761u >> 7) % 251);
  return data;
}

template <class T> static void testTranspose(const char *name, int width, int height) {
  std::vector<T> data = numbers<T>(size_t(width) * height);
  DeviceArray<T> in(data), out(data.size());
  transpose<T><<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8)>>>(out, in, width, height);
  std::vector<T> found = out.host();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expectEqual(name, y * width + x, double(found[x * height + y]), double(data[y * width + x]));
}

static void testSizes(int width, int height) {
  testTranspose<unsigned char>("bytes", width, height);
  testTranspose<short>("short", width, height);
  testTranspose<float>("float", width, height);
  testTranspose<double>("double", width, height);
}

/// Each block turns `rows` rows of `columns` elements into columns.
template <class T>
static void testBlocks(const char *name, void (*kernel)(T *, const T *), int rows, int columns,
                       int layers) {
  dim3 grid(3, 2);
  int tile = rows * columns, all = 6 * layers * tile;
  std::vector<T> data = numbers<T>(all);
  DeviceArray<T> in(data), out(all);
  kernel<<<grid, dim3(32, 8)>>>(out, in);
  std::vector<T> found = out.host();
  for (int block = 0; block < 6 * layers; ++block)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        expectEqual(name, block, found[block * tile + column * rows + row],
                    data[block * tile + row * columns + column]);
}

static void testCount() {
  std::vector<int> data = numbers<int>(6 * 1024), wanted(6 * 1024);
  for (int i = 0; i < 6 * 1024; ++i) {
    int block = i / 1024, row = i % 1024 / 32, thread = i % 32;
    wanted[block * 1024 + (data[i] & 31) * 32 + thread] += row;
  }
  DeviceArray<int> in(data), out(data.size());
  count<<<dim3(3, 2), dim3(32, 8)>>>(out, in);
  std::vector<int> found = out.host();
  for (int i = 0; i < 6 * 1024; ++i)
    expectEqual("count", i, found[i], wanted[i]);
}

int main() {
  testSizes(32, 32);
  testSizes(97, 65);
  testSizes(1, 130);
  testSizes(200, 31);
  testBlocks<float>("flat", flat, 32, 48, 1);
  testBlocks<int>("layers", layers, 32, 16, 2);
  testBlocks<int>("wide", wide, 32, 32, 1);
  testCount();
  return verdict("padded_banks");
}
