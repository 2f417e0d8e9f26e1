//===- transposed_accesses.cu - Accesses in the order of addresses -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of matrices and of planes, with sizes that no block divides, through loads or stores
// whose neighbours are far apart; also of rows that a flat index is divided into, with lengths that
// are multiples of 32 and others, in launches that fill the rows and in others. Behind each array
// is a page that cannot be accessed. GPUs take arrays in allocations instead (IN_ALLOCATIONS).
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 \
// RUN:   --coarsen='*:shape=32x32x1,staging=transposed' --coarsen='planes*:shape=16x1x16,staging=transposed' \
// RUN:   --coarsen='flat*:shape=1024x1x1,staging=transposed' \
// RUN:   --coarsen='*:thread.y=4,shape=32x32x1,staging=transposed' \
// RUN:   --coarsen='planes*:thread.z=2,shape=8x2x16,staging=transposed' \
// RUN:   --coarsen='flat*:thread.x=4,shape=1024x1x1,staging=transposed' \
// RUN:   --coarsen='*:block.x=3,thread.x=2:contiguous,staging=transposed,for.block=24x8x1' \
// RUN:   --coarsen='planes*:fuse.x=2,thread.y=2,staging=transposed,for.block=24x2x8' \
// RUN:   --coarsen='flat*:block.x=2,thread.x=2:contiguous,shape=1024x1x1,staging=transposed' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shape=32x32x1,staging=transposed;planes*:shape=16x1x16,staging=transposed;flat*:shape=1024x1x1,staging=transposed' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:thread.y=4,shape=32x32x1,staging=transposed;planes*:thread.z=2,shape=8x2x16,staging=transposed;flat*:thread.x=4,shape=1024x1x1,staging=transposed' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3,thread.x=2:contiguous,staging=transposed,for.block=24x8x1;planes*:fuse.x=2,thread.y=2,staging=transposed,for.block=24x2x8;flat*:block.x=2,thread.x=2:contiguous,shape=1024x1x1,staging=transposed' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=OWN
//
// CHECK-NOT: refused
// CHECK-DAG: rowsToColumns<{{.*}}: {{.*}}staging=transposed (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: columnsToRows<{{.*}}: {{.*}}staging=transposed (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: planes{{.*}}: {{.*}}staging=transposed (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: flatScatter<{{.*}}: {{.*}}staging=transposed (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: flatGather{{.*}}: {{.*}}staging=transposed (asked for by REGRAIN_ALTERNATIVE)
// CHECK: transposed_accesses: ok
// OWN-NOT: does not run
// OWN: transposed_accesses: ok
#include "expect.h"

#include <array>
#include <sys/mman.h>
#include <unistd.h>

#ifdef IN_ALLOCATIONS

/// Numbers in an allocation of the device that ends behind them.
template <class T> class Guarded {
public:
  explicit Guarded(const std::vector<T> &data) {
    CHECK(cudaMallocManaged(&pointer, data.size() * sizeof(T)));
    std::copy(data.begin(), data.end(), pointer);
  }
  ~Guarded() { cudaFree(pointer); }
  operator T *() const { return pointer; }

private:
  T *pointer;
};

#else

/// Numbers in front of a page that cannot be accessed.
template <class T> class Guarded {
public:
  explicit Guarded(const std::vector<T> &data) {
    size_t page = sysconf(_SC_PAGESIZE), bytes = data.size() * sizeof(T);
    size_t room = (bytes + page - 1) / page * page;
    size = room + page;
    start = static_cast<char *>(
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(start + room, page, PROT_NONE);
    pointer = reinterpret_cast<T *>(start + room - bytes);
    std::copy(data.begin(), data.end(), pointer);
  }
  ~Guarded() { munmap(start, size); }
  operator T *() const { return pointer; }

private:
  char *start;
  size_t size;
  T *pointer;
};

#endif

template <class T> __global__ void rowsToColumns(T *out, const T *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny)
    out[(size_t)x * ny + y] = in[(size_t)y * nx + x];
}

template <class T> __global__ void columnsToRows(T *out, const T *in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  T value = in[x * ny + y];
  if (value != 3) // not stored where the value says so
    out[y * nx + x] = value + 1;
}

// Neighbours in z are neighbours in memory. The store in front stays in its place.
__global__ void planes(int *out, int *sum, const int *in, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) {
    int value = in[(z * ny + y) * nx + x];
    sum[(z * ny + y) * nx + x] = value + z;
    if (x != y)
      out[(x * ny + y) * nz + z] = value;
  }
}

template <class T>
__global__ void flatScatter(T *out, const T *in, int d1, int d2, int d3, int d4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < d1 * d2 * d3 * d4) {
    int i1 = i / (d2 * d3 * d4) % d1, i2 = i / (d3 * d4) % d2, i3 = i / d4 % d3, i4 = i % d4;
    out[i4 * (d3 * d1 * d2) + i3 * (d1 * d2) + i1 * d2 + i2] = in[i];
  }
}

__global__ void flatGather(int *out, const int *in, size_t rows, size_t length) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * length)
    out[i] = in[i % length * rows + i / length] + 1;
}

static int over(int a, int b) { return (a + b - 1) / b; }

template <class T> static std::vector<T> numbers(int count) {
  std::vector<T> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = T(i * 7 % 101);
  return data;
}

template <class T>
static void expectAll(const char *what, const T *got, const std::vector<T> &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    expectEqual(what, long(i), got[i], wanted[i]);
}

template <class T> static void transposeBoth(int nx, int ny) {
  dim3 block(24, 8), grid(over(nx, block.x), over(ny, block.y));
  std::vector<T> data = numbers<T>(nx * ny), columns(nx * ny), rows(nx * ny);
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      columns[x * ny + y] = data[y * nx + x];
      if (data[x * ny + y] != T(3))
        rows[y * nx + x] = data[x * ny + y] + T(1);
    }
  Guarded<T> in(data), out(std::vector<T>(nx * ny)), back(std::vector<T>(nx * ny));
  rowsToColumns<T><<<grid, block>>>(out, in, nx, ny);
  columnsToRows<T><<<grid, block>>>(back, in, nx, ny);
  CHECK(cudaDeviceSynchronize());
  expectAll<T>("columns", out, columns);
  expectAll<T>("rows", back, rows);
}

static void transposePlanes(int nx, int ny, int nz) {
  std::vector<int> data = numbers<int>(nx * ny * nz), turned(data.size()), sums(data.size());
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        int i = (z * ny + y) * nx + x;
        sums[i] = data[i] + z;
        if (x != y)
          turned[(x * ny + y) * nz + z] = data[i];
      }
  Guarded<int> in(data), out(std::vector<int>(data.size())), sum(std::vector<int>(data.size()));
  dim3 block(24, 2, 8);
  planes<<<dim3(over(nx, block.x), over(ny, block.y), over(nz, block.z)), block>>>(out, sum, in, nx,
                                                                                   ny, nz);
  CHECK(cudaDeviceSynchronize());
  expectAll<int>("planes", out, turned);
  expectAll<int>("sums", sum, sums);
}

template <class T> static void transposeFlat(int d1, int d2, int d3, int d4) {
  int count = d1 * d2 * d3 * d4, rows = d1 * d2, length = d3 * d4;
  std::vector<T> data = numbers<T>(count), turned(count);
  std::vector<int> whole = numbers<int>(count), gathered(count);
  for (int i = 0; i < count; ++i) {
    turned[i % length % d4 * (d3 * rows) + i % length / d4 * rows + i / length] = data[i];
    gathered[i] = whole[i % length * rows + i / length] + 1;
  }
  Guarded<T> in(data), out{std::vector<T>(count)};
  Guarded<int> from(whole), to{std::vector<int>(count)};
  flatScatter<T><<<over(count, 96), 96>>>(out, in, d1, d2, d3, d4);
  flatGather<<<over(count, 96), 96>>>(to, from, rows, length);
  CHECK(cudaDeviceSynchronize());
  expectAll<T>("scattered", out, turned);
  expectAll<int>("gathered", to, gathered);
}

int main() {
  for (auto [nx, ny] : {std::pair(67, 35), {32, 64}, {1, 90}, {90, 1}}) {
    transposeBoth<char>(nx, ny);
    transposeBoth<short>(nx, ny);
    transposeBoth<float>(nx, ny);
    transposeBoth<double>(nx, ny);
  }
  transposePlanes(21, 5, 37);
  transposePlanes(16, 2, 16);
  for (auto [d1, d2, d3, d4] :
       {std::array{4, 8, 2, 32}, {7, 11, 3, 32}, {3, 5, 7, 9}, {1, 65, 2, 16}, {2, 2, 1, 1}}) {
    transposeFlat<float>(d1, d2, d3, d4);
    transposeFlat<short>(d1, d2, d3, d4);
  }
  return verdict("transposed_accesses");
}
