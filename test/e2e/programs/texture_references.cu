//===- texture_references.cu - References of CUDA 11 ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References are bound to linear memory, pitched memory and arrays, bound anew between
// launches, and read in kernels at several grains. nvcc 12 and newer have none.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O2 --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -O2 --targets=cpu -rdc=true --coarsen='*:thread.x=2' -o %t.thread %s
// RUN: timeout 60 %t.thread
#include "expect.h"

constexpr int count = 64, width = 16, height = 4;

texture<float, 1, cudaReadModeElementType> line;
static texture<int2, 1> pairs;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;
texture<float, 2> plane;
surface<void, 2> canvas;

__global__ void readLine(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch(line, i);
}

__global__ void readPairs(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 pair = tex1Dfetch(pairs, i);
  out[i] = pair.x * 1000 + pair.y;
}

__global__ void readPicture(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2D(picture, i % width + 0.5f, i / width + 0.5f);
}

__global__ void readPlane(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2D(plane, (i % width + 1.0f) / width, (i / width + 0.5f) / height);
}

__global__ void paint() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  surf2Dwrite(float(i * i), canvas, i % width * int(sizeof(float)), i / width);
}

int main() {
  std::vector<float> numbers(count), others(count);
  std::vector<int2> two(count);
  for (int i = 0; i < count; ++i) {
    numbers[i] = i * 1.5f;
    others[i] = -float(i);
    two[i] = make_int2(i, 7 * i);
  }
  DeviceArray<float> first(numbers), second(others), out(count), before(count);
  DeviceArray<int2> ints(two);
  DeviceArray<int> sums(count);

  // A launch uses what was bound when it was made.
  CHECK(cudaBindTexture(nullptr, line, first, count * sizeof(float)));
  readLine<<<4, 16>>>(before);
  size_t offset = 1;
  CHECK(cudaBindTexture(&offset, line, second, count * sizeof(float)));
  readLine<<<4, 16>>>(out);
  auto gotBefore = before.host(), got = out.host();
  for (int i = 0; i < count; ++i) {
    expectEqual("first", i, gotBefore[i], numbers[i]);
    expectEqual("second", i, got[i], others[i]);
  }
  expectEqual("offset", 0, offset, 0);
  cudaDeviceProp limits;
  CHECK(cudaGetDeviceProperties(&limits, 0));
  CHECK(cudaBindTexture(&offset, line, first + 4, 4 * sizeof(float)));
  bool isAligned = limits.textureAlignment <= 4 * sizeof(float);
  expectEqual("offset", 1, offset, isAligned ? 0 : 4 * sizeof(float));

  CHECK(cudaBindTexture(nullptr, pairs, ints, count * sizeof(int2)));
  readPairs<<<4, 16>>>(sums);
  auto gotSums = sums.host();
  for (int i = 0; i < count; ++i)
    expectEqual("pairs", i, gotSums[i], i * 1007);

  unsigned char *pixels;
  size_t pitch;
  std::vector<unsigned char> image(count);
  for (int i = 0; i < count; ++i)
    image[i] = (unsigned char)(i * 4);
  CHECK(cudaMallocPitch(&pixels, &pitch, width, height));
  CHECK(cudaMemcpy2D(pixels, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(nullptr, picture, pixels, width, height, pitch));
  readPicture<<<4, 16>>>(out);
  got = out.host();
  for (int i = 0; i < count; ++i)
    expectEqual("picture", i, got[i], image[i] / 255.0f);

  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK(cudaBindSurfaceToArray(canvas, array));
  paint<<<4, 16>>>();
  plane.normalized = true;
  plane.filterMode = cudaFilterModeLinear;
  plane.addressMode[0] = cudaAddressModeWrap;
  CHECK(cudaBindTextureToArray(plane, array));
  readPlane<<<4, 16>>>(out);
  got = out.host();
  for (int i = 0; i < count; ++i) {
    int next = i - i % width + (i + 1) % width;
    expectEqual("plane", i, got[i], (i * i + next * next) / 2.0f);
  }
  CHECK(cudaUnbindTexture(plane));
  CHECK(cudaUnbindTexture(line));
  CHECK(cudaFreeArray(array));
  return verdict("texture_references");
}
