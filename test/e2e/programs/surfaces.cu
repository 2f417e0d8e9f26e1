//===- surfaces.cu - Accesses through surface objects -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of all sizes are read and written in arrays of each shape, inside and beyond
// their borders. The program also runs on a GPU.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O2 --targets=cpu --coarsen='*ushort4*:block.x=2' --coarsen='*float4*:thread.x=2' --coarsen='rotate:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc -c --targets=compute_60,compute_90 -o %t.o %s
#include "expect.h"

#include <algorithm>
#include <cstring>

constexpr int width = 12, height = 5, depth = 3;

enum Shape { Line, Plane, Volume, Lines, Planes };

template <Shape S, class T>
__device__ T load(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  int byte = x * int(sizeof(T));
  if constexpr (S == Line)
    return surf1Dread<T>(surface, byte, mode);
  else if constexpr (S == Plane)
    return surf2Dread<T>(surface, byte, y, mode);
  else if constexpr (S == Volume)
    return surf3Dread<T>(surface, byte, y, z, mode);
  else if constexpr (S == Lines)
    return surf1DLayeredread<T>(surface, byte, z, mode);
  else
    return surf2DLayeredread<T>(surface, byte, y, z, mode);
}

template <Shape S, class T>
__device__ void store(T value, cudaSurfaceObject_t surface, int x, int y, int z,
                      cudaSurfaceBoundaryMode mode) {
  int byte = x * int(sizeof(T));
  if constexpr (S == Line)
    surf1Dwrite(value, surface, byte, mode);
  else if constexpr (S == Plane)
    surf2Dwrite(value, surface, byte, y, mode);
  else if constexpr (S == Volume)
    surf3Dwrite(value, surface, byte, y, z, mode);
  else if constexpr (S == Lines)
    surf1DLayeredwrite(value, surface, byte, z, mode);
  else
    surf2DLayeredwrite(value, surface, byte, y, z, mode);
}

/// Swaps the halves of each row; a block has one thread for each pair.
template <Shape S, class T> __global__ void swapHalves(cudaSurfaceObject_t surface, int rows) {
  int x = threadIdx.x, y = blockIdx.x % rows, z = blockIdx.x / rows;
  T left = load<S, T>(surface, x, y, z, cudaBoundaryModeTrap);
  T right = load<S, T>(surface, x + width / 2, y, z, cudaBoundaryModeTrap);
  store<S>(right, surface, x, y, z, cudaBoundaryModeTrap);
  store<S>(left, surface, x + width / 2, y, z, cudaBoundaryModeTrap);
}

/// Reads beyond both borders of each row.
template <Shape S, class T>
__global__ void readAround(T *out, cudaSurfaceObject_t surface, int rows, bool clamps) {
  int x = int(threadIdx.x) - 2, y = blockIdx.x % rows, z = blockIdx.x / rows;
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (clamps)
    out[at] = load<S, T>(surface, x, y, z, cudaBoundaryModeClamp);
  else
    out[at] = load<S, T>(surface, x, y, z, cudaBoundaryModeZero);
}

/// Writes beyond the border, which has no effect.
template <Shape S, class T> __global__ void writeBeyond(T value, cudaSurfaceObject_t surface) {
  store<S>(value, surface, width + int(threadIdx.x), 0, 0, cudaBoundaryModeZero);
  store<S>(value, surface, -1 - int(threadIdx.x), 0, 0, cudaBoundaryModeZero);
}

/// Passes elements on to the next thread of the block, whose accesses a barrier orders.
__global__ void rotate(cudaSurfaceObject_t surface) {
  int x = threadIdx.x, next = (x + 1) % width, y = blockIdx.x;
  int value = surf2Dread<int>(surface, 4 * x, y);
  surf2Dwrite(value + 1000, surface, 4 * x, y);
  __syncthreads();
  int others = surf2Dread<int>(surface, 4 * next, y);
  __syncthreads();
  surf2Dwrite(others + value, surface, 4 * x, y);
}

template <class T> T elementOf(int i) {
  T value;
  for (size_t byte = 0; byte < sizeof(T); ++byte)
    reinterpret_cast<unsigned char *>(&value)[byte] = (unsigned char)(i * 7 + byte * 29 + 1);
  return value;
}

template <class T> bool areEqual(const T &a, const T &b) { return !std::memcmp(&a, &b, sizeof(T)); }

template <Shape S, class T>
void copyAll(cudaArray_t array, std::vector<T> &data, cudaMemcpyKind kind) {
  bool isFlat = S == Line || S == Lines, isOne = S == Line || S == Plane;
  int rows = isFlat ? 1 : height, slices = isOne ? 1 : depth;
  cudaPitchedPtr memory = make_cudaPitchedPtr(data.data(), width * sizeof(T), width, rows);
  cudaMemcpy3DParms copy = {};
  if (kind == cudaMemcpyHostToDevice)
    copy.srcPtr = memory, copy.dstArray = array;
  else
    copy.dstPtr = memory, copy.srcArray = array;
  copy.extent = make_cudaExtent(width, rows, slices);
  copy.kind = kind;
  CHECK(cudaMemcpy3D(&copy));
}

template <Shape S, class T> void run(const char *name) {
  bool isFlat = S == Line || S == Lines, isOne = S == Line || S == Plane;
  int rows = isFlat ? 1 : height, slices = isOne ? 1 : depth;
  bool isLayered = S == Lines || S == Planes;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format,
                          make_cudaExtent(width, isFlat ? 0 : height, isOne ? 0 : depth),
                          cudaArraySurfaceLoadStore | (isLayered ? cudaArrayLayered : 0)));
  std::vector<T> data(width * rows * slices);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = elementOf<T>(int(i));
  std::vector<T> first = data;
  copyAll<S>(array, data, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  constexpr int around = width + 4;
  for (int clamps = 0; clamps < 2; ++clamps) {
    DeviceArray<T> out(around * rows * slices);
    readAround<S, T><<<rows * slices, around>>>(out, surface, rows, clamps);
    std::vector<T> got = out.host();
    for (int i = 0; i < around * rows * slices; ++i) {
      int x = i % around - 2, row = i / around;
      T zero = {};
      bool isInside = x >= 0 && x < width;
      T wanted =
          isInside || clamps ? first[row * width + std::min(std::max(x, 0), width - 1)] : zero;
      expect(areEqual(got[i], wanted), name, i, x, clamps);
    }
  }
  writeBeyond<S><<<1, 3>>>(elementOf<T>(77), surface);
  swapHalves<S, T><<<rows * slices, width / 2>>>(surface, rows);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  copyAll<S>(array, data, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < data.size(); ++i) {
    size_t x = i % width, from = i - x + (x + width / 2) % width;
    expect(areEqual(data[i], first[from]), name, long(i), double(x), -1);
  }
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
}

template <class T> void runShapes(const char *name) {
  run<Line, T>(name);
  run<Plane, T>(name);
  run<Volume, T>(name);
  run<Lines, T>(name);
  run<Planes, T>(name);
}

void checkRotation() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  std::vector<int> data(width * height);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = int(i * i);
  std::vector<int> first = data;
  copyAll<Plane>(array, data, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  rotate<<<height, width>>>(surface);
  CHECK(cudaDeviceSynchronize());
  copyAll<Plane>(array, data, cudaMemcpyDeviceToHost);
  for (int i = 0; i < width * height; ++i)
    expectEqual("rotation", i, data[i], first[i] + first[i - i % width + (i + 1) % width] + 1000);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
}

int main() {
  runShapes<unsigned char>("uchar");
  runShapes<char2>("char2");
  runShapes<ushort4>("ushort4");
  runShapes<int>("int");
  runShapes<float4>("float4");
  checkRotation();
  return verdict("surfaces");
}
