//===- joined_guards.cu - Neighbours at the ends of rows --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils whose guards exclude the first and the last elements of rows, of several lengths. What
// they read ends at a page that may not be read, and begins behind one. The results of all grains
// are the same bit for bit.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*line*:thread.x=4:contiguous,guards=joined' --coarsen='*blur*:thread.x=8:contiguous,guards=joined' --coarsen='*steps*:thread.x=4:contiguous,thread.y=2:contiguous,guards=joined' --coarsen='*box*:block.z=4,thread.x=4:contiguous,thread.y=2:contiguous,shape=64x4x1,slices=z,steps=4,guards=joined' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original.out
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 >%t.out | FileCheck %s
// RUN: diff %t.original.out %t.out
//
// CHECK-NOT: refused
// CHECK-DAG: line({{.*}}): thread.x=4:contiguous,guards=joined (chosen when compiled)
// CHECK-DAG: blur({{.*}}): thread.x=8:contiguous,guards=joined (chosen when compiled)
// CHECK-DAG: steps({{.*}}): thread.x=4,thread.y=2:contiguous,guards=joined (chosen when compiled)
// CHECK-DAG: box({{.*}}): block.z=4,thread.x=4,thread.y=2:contiguous,shape=64x4x1,slices=z,steps=4,guards=joined (chosen when compiled)
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

__global__ void line(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1)
    return;
  out[i] = in[i] / (in[i - 1] + in[i + 1] + 1);
}

/// The loop has a length that is not known.
__global__ void blur(double *out, const double *in, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= radius && i + radius < n - 1) {
    double sum = 0;
    for (int k = -radius; k <= radius; ++k)
      sum += in[i + k] * (k + 3) - in[i + k + 1];
    out[i] = sum;
  }
}

/// Conditions in conditions, on numbers of the element and on what was loaded.
__global__ void steps(int *out, int *larger, const int *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < ny - 1)
    if (x > 0 && x < nx) {
      int before = in[y * nx + x - 1], here = in[y * nx + x], below = in[(y + 1) * nx + x];
      larger[y * nx + x] = (before > below) + here;
      if (x < nx - 1) {
        int behind = in[y * nx + x + 1];
        if (behind > before)
          out[y * nx + x] = behind - before;
        larger[y * nx + x] += 2 * behind;
      }
    }
}

__global__ void box(float *out, const float *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z;
  if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1 || z == 0 || z >= nz - 1)
    return;
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += in[((z + dz) * ny + y + dy) * nx + x + dx] * (dx + 3);
  out[(z * ny + y) * nx + x] = sum / 27;
}

constexpr size_t page = 1 << 16;

/// An array that begins at the start of a page, or ends at the end of one, beside pages that may
/// not be accessed.
template <typename T> struct Array {
  char *pages;
  T *data;
  size_t count;
  Array(size_t count, bool atEnd) : count(count) {
    size_t all = (count * sizeof(T) + page - 1) / page * page;
    pages = static_cast<char *>(
        mmap(nullptr, all + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(pages + page, all, PROT_READ | PROT_WRITE);
    data = reinterpret_cast<T *>(atEnd ? pages + page + all - count * sizeof(T) : pages + page);
    for (size_t i = 0; i < count; ++i)
      data[i] = T((i * 2654435761u >> 7) % 1000) / 8;
  }
  void print(const char *name) {
    unsigned long long hash = 1469598103934665603ull;
    for (size_t i = 0; i < count * sizeof(T); ++i)
      hash = (hash ^ reinterpret_cast<unsigned char *>(data)[i]) * 1099511628211ull;
    printf("%s %016llx\n", name, hash);
  }
};

template <typename T, typename Run> void runOn(const char *name, size_t count, Run run) {
  for (bool atEnd : {false, true}) {
    Array<T> in(count, atEnd), out(count, atEnd), more(count, atEnd);
    run(out.data, more.data, in.data);
    cudaDeviceSynchronize();
    out.print(name);
    more.print(name);
  }
}

int main() {
  for (int nx : {1, 2, 4, 61, 62, 63, 64}) {
    runOn<float>("line", nx, [=](float *out, float *, float *in) { line<<<2, 32>>>(out, in, nx); });
    runOn<double>("blur", nx, [=](double *out, double *, double *in) {
      for (int radius : {0, 1, 2, 5})
        blur<<<2, 32>>>(out, in, nx, radius);
    });
    runOn<int>("steps", nx * 7, [=](int *out, int *more, int *in) {
      steps<<<dim3(2, 2), dim3(32, 4)>>>(out, more, in, nx, 7);
    });
    runOn<float>("box", nx * 7 * 6, [=](float *out, float *, float *in) {
      box<<<dim3(2, 2, 6), dim3(32, 4)>>>(out, in, nx, 7, 6);
    });
  }
}
