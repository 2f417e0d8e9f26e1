//===- marched_rings.cu - Steps that read from rings of planes --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils along z and along y whose planes lie in rings in shared memory: of doubles and floats, of
// several arrays, with near and far neighbours, and with neighbours under conditions of their own.
// The results of all grains are the same bit for bit, at sizes of which blocks, steps and pieces of
// 16 bytes are left over, and where launches do not fit the grain. With an argument, there are few.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*star*:block.z=8,shape=32x4x1,steps=8,staging=steps,for.aliases=none' --coarsen='*plane*:block.y=6,shape=64x1x1,steps=6,staging=steps' --coarsen='*wave*:block.z=4,thread.y=2:contiguous,shape=32x4x1,slices=z,steps=4,staging=steps' --coarsen='*clamped*:block.z=5,steps=5,staging=steps,for.block=16x4x1' --coarsen='*box*:block.z=8,thread.x=2,shape=32x4x1,slices=z,steps=8,staging=steps' --coarsen='*triangle*:block.y=4,shape=32x1x1,steps=4,staging=steps' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original.out
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 >%t.out | FileCheck %s
// RUN: diff %t.original.out %t.out
// RUN: %regrain cc --targets=cpu -O1 --coarsen='*star*:block.z=8,thread.y=4:contiguous,shape=32x8x1,steps=8,staging=steps,copies=bulk,for.pointers=16,for.arg2=2n,for.aliases=none' --coarsen='*plane*:block.y=6,shape=128x1x1,steps=6,staging=steps,copies=bulk,for.pointers=16,for.arg2=4n' --coarsen='*wave*:block.z=4,shape=64x2x1,slices=z,steps=4,staging=steps,for.pointers=16,for.arg3=4n' -o %t.bulk %s
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.bulk 2>&1 >%t.out | FileCheck %s --check-prefix=BULK
// RUN: diff %t.original.out %t.out
// RUN: %regrain cc --targets=cpu -O2 --coarsen='*star*:block.z=8,thread.y=4:contiguous,shape=32x8x1,steps=8,in-step=2,staging=steps,copies=bulk,stages=3,dynamic-shared=64,for.pointers=16,for.arg2=2n,for.aliases=none' --coarsen='*plane*:block.y=6,shape=64x1x1,steps=6,in-step=1,staging=steps,dynamic-shared=30' -o %t.step %s
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.step 2>&1 >%t.out | FileCheck %s --check-prefix=STEP
// RUN: diff %t.original.out %t.out
//
// STEP-NOT: refused
// STEP-DAG: star({{.*}}): block.z=8,thread.y=4:contiguous,shape=32x8x1,steps=8,in-step=2,staging=steps,copies=bulk,stages=3,dynamic-shared=64,{{.*}} (chosen when compiled)
// STEP-DAG: plane({{.*}}): block.y=6,shape=64x1x1,steps=6,in-step=1,staging=steps,dynamic-shared=30 (chosen when compiled)
// CHECK-NOT: refused
// CHECK-DAG: star({{.*}}): block.z=8,shape=32x4x1,steps=8,staging=steps,for.aliases=none (chosen when compiled)
// CHECK-DAG: plane({{.*}}): block.y=6,shape=64x1x1,steps=6,staging=steps (chosen when compiled)
// CHECK-DAG: wave({{.*}}): block.z=4,thread.y=2:contiguous,shape=32x4x1,slices=z,steps=4,staging=steps (chosen when compiled)
// CHECK-DAG: clamped({{.*}}): block.z=5,steps=5,staging=steps,for.block=16x4x1 (chosen when compiled)
// CHECK-DAG: box({{.*}}): block.z=8,thread.x=2,shape=32x4x1,slices=z,steps=8,staging=steps (chosen when compiled)
// CHECK-DAG: triangle({{.*}}): block.y=4,shape=32x1x1,steps=4,staging=steps (chosen when compiled)
// BULK-NOT: refused
// BULK-DAG: star({{.*}}): block.z=8,thread.y=4:contiguous,shape=32x8x1,steps=8,staging=steps,copies=bulk,{{.*}} (chosen when compiled)
// BULK-DAG: plane({{.*}}): block.y=6,shape=128x1x1,steps=6,staging=steps,copies=bulk,{{.*}} (chosen when compiled)
// BULK-DAG: wave({{.*}}): block.z=4,shape=64x2x1,slices=z,steps=4,staging=steps,{{.*}} (chosen when compiled)
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void star(double *f, const double *u, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1)
    return;
  size_t slice = size_t(nx) * ny, p = i + size_t(nx) * j + slice * k;
  f[p] = u[p] * 6 - (u[p - 1] + u[p + 1]) - (u[p - nx] + u[p + nx]) * 0.5 -
         (u[p - slice] + u[p + slice]) * 0.25;
}

__global__ void plane(float *__restrict__ out, const float *__restrict__ in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 2 || y >= ny - 2)
    return;
  int p = y * nx + x;
  out[p] = 0.2f * (in[p] + in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx]) -
           0.1f * (in[p - 2 * nx] + in[p + 2 * nx]);
}

/// Far neighbours of one array, near ones of another, and one element of a third.
__global__ void wave(float *__restrict__ next, const float *__restrict__ now,
                     const float *__restrict__ speed, int nx, int ny, int nz,
                     const float *__restrict__ before) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2 || z < 2 || z >= nz - 2)
    return;
  size_t slice = size_t(nx) * ny, p = x + size_t(nx) * y + slice * z;
  float sum = now[p] * 3;
  for (int r = 1; r <= 2; ++r)
    sum += (now[p - r] + now[p + r] + now[p - r * nx] + now[p + r * nx] + now[p - r * slice] +
            now[p + r * slice]) *
           (0.5f / r);
  float faster = speed[p] + speed[p - 1] + speed[p + slice];
  next[p] = now[p] * 2 - before[p] + faster * sum;
}

/// Neighbours outside are left out one by one.
__global__ void clamped(double *__restrict__ out, const double *__restrict__ in, int nx, int ny,
                        int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x >= nx || y >= ny)
    return;
  size_t slice = size_t(nx) * ny, p = x + size_t(nx) * y + slice * z;
  double sum = in[p] * 6;
  if (x > 0)
    sum -= in[p - 1];
  if (x < nx - 1)
    sum -= in[p + 1];
  if (y > 0)
    sum -= in[p - nx];
  if (y < ny - 1)
    sum -= in[p + nx];
  if (z > 0)
    sum -= in[p - slice];
  if (z < nz - 1)
    sum -= in[p + slice];
  out[p] = sum;
}

__global__ void box(float *__restrict__ out, const float *__restrict__ in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
    return;
  float sum = 0;
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx)
        sum += in[((z + dz) * ny + y + dy) * nx + x + dx] * (dz + 3);
  out[(z * ny + y) * nx + x] = sum / 27;
}

/// Each row ends at another column.
__global__ void triangle(float *__restrict__ out, const float *__restrict__ in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= 1 && y < ny - 1 && x < nx && x >= y)
    out[y * nx + x] = in[(y - 1) * nx + x] + in[y * nx + x] * 2 + in[(y + 1) * nx + x];
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

static void run(int nx, int ny, int nz) {
  int all = nx * ny * nz;
  Array<double> u(all), f(all);
  dim3 grid((nx + 31) / 32, (ny + 3) / 4, nz), block(32, 4, 1);
  star<<<grid, block>>>(f.data, u.data, nx, ny, nz);
  f.print("star");
  Array<double> halves(2 * all);
  star<<<grid, block>>>(halves.data + all, halves.data, nx, ny, nz);
  halves.print("star of halves");
  clamped<<<dim3((nx + 15) / 16, (ny + 3) / 4, nz), dim3(16, 4, 1)>>>(f.data, u.data, nx, ny, nz);
  f.print("clamped");
  Array<float> in(all), out(all), speed(all), before(all);
  plane<<<dim3((nx + 31) / 32, nz * ny), 32>>>(out.data, in.data, nx, ny * nz);
  out.print("plane");
  wave<<<grid, block>>>(out.data, in.data, speed.data, nx, ny, nz, before.data);
  out.print("wave");
  box<<<grid, block>>>(out.data, in.data, nx, ny, nz);
  out.print("box");
  triangle<<<dim3((nx + 31) / 32, nz * ny), 32>>>(out.data, in.data, nx, ny * nz);
  out.print("triangle");
}

int main(int argc, char **argv) {
  if (argc > 1) {
    run(37, 5, 4);
    run(68, 6, 10);
  } else {
    for (int nz : {1, 3, 8, 13}) {
      run(37, 9, nz);
      run(68, 6, nz);
    }
    run(132, 11, 9);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
