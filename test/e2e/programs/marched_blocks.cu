//===- marched_blocks.cu - Blocks that run in steps -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils whose neighbours lie in other blocks, along y and along z, some under conditions on the
// data, one through shared memory, one in place. `star` also runs at the first march that is
// proposed. The results of all grains are the same bit for bit, also where blocks are left over.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*star*:block.z=4,thread.y=2:contiguous,shape=64x8x1,steps=4' --coarsen='*plane*:block.y=6,shape=16x1x1,steps=3' --coarsen='*masked*:block.z=8,steps=8,for.block=16x2x1' --coarsen='*shared*:block.y=3,steps=3,for.block=32x1x1' --coarsen='*in_place*:block.y=4,steps=2,for.block=32x1x1' --coarsen='*box*:block.z=4,thread.y=2:contiguous,shape=32x4x1,slices=z,steps=4' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original.out
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 >%t.out | FileCheck %s
// RUN: diff %t.original.out %t.out
// RUN: %regrain cc --targets=cpu -O1 --coarsen='*star*:block.y=2,block.z=8,thread.x=2:contiguous,shape=32x2x1,steps=4,window=ahead' --coarsen='*plane*:block.y=4,thread.x=4:contiguous,shape=64x1x1,steps=4,window=ahead' --coarsen='*masked*:block.z=4,thread.x=2,steps=2,for.block=16x2x1' -o %t.joined %s
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.joined 2>&1 >%t.out | FileCheck %s --check-prefix=JOINED
// RUN: diff %t.original.out %t.out
//
// CHECK-NOT: refused
// CHECK-DAG: star({{.*}}): block.z=4,thread.y=2:contiguous,shape=64x8x1,steps=4 (chosen when compiled)
// CHECK-DAG: plane({{.*}}): block.y=6,shape=16x1x1,steps=3 (chosen when compiled)
// CHECK-DAG: masked({{.*}}): block.z=8,steps=8,for.block=16x2x1 (chosen when compiled)
// CHECK-DAG: shared({{.*}}): block.y=3,steps=3,for.block=32x1x1 (chosen when compiled)
// CHECK-DAG: in_place({{.*}}): block.y=4,steps=2,for.block=32x1x1 (chosen when compiled)
// Blocks with two threads in z are no slices.
// CHECK-DAG: box({{.*}}): block.z=4,thread.y=2:contiguous,shape=32x4x1,slices=z,steps=4 (chosen when compiled)
// CHECK-DAG: the block has several threads in a dimension in which the grain's code allows only one
// JOINED-NOT: refused
// JOINED-DAG: star({{.*}}): block.y=2,block.z=8,thread.x=2:contiguous,shape=32x2x1,steps=4,window=ahead (chosen when compiled)
// JOINED-DAG: plane({{.*}}): block.y=4,thread.x=4:contiguous,shape=64x1x1,steps=4,window=ahead (chosen when compiled)
// JOINED-DAG: masked({{.*}}): block.z=4,thread.x=2,steps=2,for.block=16x2x1 (chosen when compiled)
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void star(double *f, const double *u, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1)
    return;
  const int slice = nx * ny;
  size_t p = i + (size_t)nx * j + (size_t)slice * k;
  f[p] = u[p] * 6 - (u[p - 1] + u[p + 1]) - (u[p - nx] + u[p + nx]) * 0.5 -
         (u[p - slice] + u[p + slice]) * 0.25;
}

__global__ void plane(float *out, const float *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 2 || y >= ny - 2)
    return;
  int p = y * nx + x;
  out[p] = 0.2f * (in[p] + in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx]) -
           0.1f * (in[p - 2 * nx] + in[p + 2 * nx]);
}

/// Some threads leave at once, and some read further elements.
__global__ void masked(float *out, const float *in, const unsigned char *mask, int nx, int ny,
                       int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  size_t slice = (size_t)nx * ny, p = slice * z + (size_t)y * nx + x;
  if (x >= nx || y >= ny || z < 2 || z >= nz - 2 || mask[p] % 3 == 0)
    return;
  float sum = in[p] + 0.5f * (in[p - slice] + in[p + slice]);
  if (mask[p] % 3 == 1)
    sum += 0.25f * (in[p - 2 * slice] - in[p + 2 * slice]);
  out[p] = sum;
}

__global__ void shared(float *out, const float *in, int nx, int ny) {
  __shared__ float held[32];
  int x = threadIdx.x, y = blockIdx.y;
  int above = y + 1 < ny ? (y + 1) * nx + x : x;
  held[x] = in[y * nx + x] + in[(y + 1) * nx + x];
  __syncthreads();
  out[y * nx + x] = held[(x + 5) % 32] + float(above);
}

/// The second half of the rows is computed from the first.
__global__ void in_place(float *data, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < nx && y + 1 < ny)
    data[(y + ny) * nx + x] = data[y * nx + x] * 3 + data[(y + 1) * nx + x];
}

/// A block for each plane. A step begins with sums of what earlier steps have read.
__global__ void box(float *out, const float *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
    return;
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += in[((z + dz) * ny + y + dy) * nx + x + dx] * (dz + 3);
  out[(z * ny + y) * nx + x] = sum / 27;
}

template <typename T> struct Array {
  T *data;
  size_t count;
  explicit Array(size_t count) : count(count) {
    std::vector<T> start(count);
    for (size_t i = 0; i < count; ++i)
      start[i] = T((i * 2654435761u >> 7) % 1000) / 8;
    cudaMalloc(&data, count * sizeof(T));
    cudaMemcpy(data, start.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(data); }
  void print(const char *name) {
    std::vector<unsigned char> bytes(count * sizeof(T));
    cudaMemcpy(bytes.data(), data, bytes.size(), cudaMemcpyDeviceToHost);
    unsigned long long hash = 1469598103934665603ull;
    for (unsigned char byte : bytes)
      hash = (hash ^ byte) * 1099511628211ull;
    printf("%s %016llx\n", name, hash);
  }
};

int main() {
  for (int nz : {1, 3, 8, 13}) {
    int nx = 37, ny = 9, all = nx * ny * nz;
    Array<double> u(all), f(all);
    star<<<dim3(2, 3, nz), dim3(32, 4, 1)>>>(f.data, u.data, nx, ny, nz);
    f.print("star");
    Array<float> in(all), out(all);
    Array<unsigned char> mask(all);
    masked<<<dim3(3, 5, nz), dim3(16, 2, 1)>>>(out.data, in.data, mask.data, nx, ny, nz);
    out.print("masked");
    plane<<<dim3(2, nz * ny), dim3(32, 1, 1)>>>(out.data, in.data, nx, ny * nz);
    out.print("plane");
    box<<<dim3(2, 3, nz), dim3(32, 4, 1)>>>(out.data, in.data, nx, ny, nz);
    out.print("box");
    box<<<dim3(2, 5, nz), dim3(32, 2, 2)>>>(out.data, in.data, nx, ny, nz);
    out.print("box");
    shared<<<dim3(1, ny * nz - 1), 32>>>(out.data, in.data, nx, ny * nz);
    out.print("shared");
    Array<float> halves(2 * all);
    in_place<<<dim3(2, ny * nz), 32>>>(halves.data, nx, ny * nz);
    halves.print("in_place");
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
