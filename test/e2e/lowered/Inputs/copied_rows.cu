//===- copied_rows.cu - Tiles of which rows are copied at once --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some blocks are partly outside, and what is left of the loops fills no tile. Arrays end where the
// last element is read.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BOTH static __host__ __device__

constexpr int width = 102, height = 11;
constexpr int columns = 100, rows = 6, length = 53;

BOTH double star(const double *a, int x, int y, int w, int h) {
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return 0;
  const double *at = a + y * w + x;
  return at[0] * 4.0 - at[-1] - at[1] - at[-w] - at[w];
}

__global__ void stars(const double *__restrict__ a, double *__restrict__ b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  b[y * w + x] = a[y * w + x] * 4.0 - a[y * w + x - 1] - a[y * w + x + 1] - a[(y - 1) * w + x] -
                 a[(y + 1) * w + x];
}

BOTH float product(const float *a, const float *b, int x, int y, int n, int k) {
  float sum = 0, other = 1;
  for (int i = 0; i < k; ++i)
    sum += a[y * k + i] * b[i * n + x];
  for (int i = 0; i < k; ++i)
    other += b[i * n + x] - a[y * k + i] * sum;
  return sum + other;
}

// Two loops, one after the other.
__global__ void products(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0, other = 1;
  if (x < n && y < m) {
    for (int i = 0; i < k; ++i)
      sum += a[y * k + i] * b[i * n + x];
    for (int i = 0; i < k; ++i)
      other += b[i * n + x] - a[y * k + i] * sum;
    c[y * n + x] = sum + other;
  }
}

template <class T> static T *toDevice(const std::vector<T> &data) {
  void *memory = nullptr;
  if (cudaMalloc(&memory, data.size() * sizeof(T)))
    return nullptr;
  cudaMemcpy(memory, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice);
  return static_cast<T *>(memory);
}

template <class T> static std::vector<T> numbers(int count) {
  std::vector<T> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = T(i * 37 % 101) / T(4);
  return data;
}

template <class T, class Wanted>
static int compare(const char *name, const T *device, int w, int h, Wanted wanted) {
  std::vector<T> got(w * h);
  if (cudaDeviceSynchronize() ||
      cudaMemcpy(got.data(), device, got.size() * sizeof(T), cudaMemcpyDeviceToHost))
    return printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      if (got[y * w + x] != wanted(x, y))
        return printf("%s: %g at %d, %d\n", name, double(got[y * w + x]), x, y);
  return 0;
}

int main() {
  std::vector<double> plane = numbers<double>(width * height);
  double *from = toDevice(plane), *to = toDevice(std::vector<double>(width * height));
  stars<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(from, to, width, height);
  int wrong = compare("stars", to, width, height,
                      [&](int x, int y) { return star(plane.data(), x, y, width, height); });
  std::vector<float> a = numbers<float>(rows * length), b = numbers<float>(length * columns);
  float *sums = toDevice(std::vector<float>(rows * columns));
  products<<<dim3((columns + 63) / 64, (rows + 3) / 4), dim3(64, 4)>>>(
      toDevice(a), toDevice(b), sums, rows, columns, length);
  wrong += compare("products", sums, columns, rows, [&](int x, int y) {
    return product(a.data(), b.data(), x, y, columns, length);
  });
  if (!wrong)
    printf("copied_rows: ok\n");
  return wrong != 0;
}
