//===- texture_shapes.cu - Layers, cubes, levels and memory -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layered textures, cubes, levels of detail, gradients, gathers, and textures of linear
// and pitched memory. The program also runs on a GPU.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O2 --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -c --targets=compute_60,compute_90 -o %t.o %s
#include "expect.h"

#include <algorithm>

constexpr int size = 8, layers = 3;

__global__ void readLines(float *out, cudaTextureObject_t t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1DLayered<float>(t, i % size + 0.5f, i / size);
}

__global__ void readPlanes(float *out, cudaTextureObject_t t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex2DLayered<float>(t, i % size + 0.5f, i / size % size + 0.5f, i / (size * size));
}

/// Reads the texel of a face whose middle is at s and t, in [-1, 1].
__device__ float3 direction(int face, float s, float t) {
  switch (face) {
  case 0:
    return make_float3(1, -t, -s);
  case 1:
    return make_float3(-1, -t, s);
  case 2:
    return make_float3(s, 1, t);
  case 3:
    return make_float3(s, -1, -t);
  case 4:
    return make_float3(s, -t, 1);
  default:
    return make_float3(-s, -t, -1);
  }
}

__global__ void readCube(float *out, cudaTextureObject_t t, bool isLayered) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, slice = i / (size * size);
  float s = (i % size + 0.5f) / size * 2 - 1, r = (i / size % size + 0.5f) / size * 2 - 1;
  float3 d = direction(slice % 6, s, r);
  if (isLayered)
    out[i] = texCubemapLayered<float>(t, 3 * d.x, 3 * d.y, 3 * d.z, slice / 6);
  else
    out[i] = texCubemap<float>(t, d.x, d.y, d.z);
}

__global__ void readLevels(float *out, cudaTextureObject_t t) {
  int i = threadIdx.x;
  float level = i * 0.25f;
  out[3 * i] = tex2DLod<float>(t, 0.5f, 0.5f, level);
  float step = exp2f(floorf(level)) / size;
  out[3 * i + 1] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(step, 0), make_float2(0, step / 2));
  out[3 * i + 2] = tex2D<float>(t, 0.5f, 0.5f);
}

__global__ void gather(float4 *out, cudaTextureObject_t t) {
  int i = threadIdx.x;
  out[2 * i] = tex2Dgather<float4>(t, i % 3 + 1.0f, i / 3 + 2.0f);
  out[2 * i + 1] = tex2Dgather<float4>(t, i % 3 + 1.0f, i / 3 + 2.0f, 1);
}

__global__ void fetch(int *out, cudaTextureObject_t t, int count) {
  int i = threadIdx.x;
  out[i] = tex1Dfetch<int>(t, i - 2);
}

__global__ void readPitched(float *out, cudaTextureObject_t t) {
  int i = threadIdx.x;
  out[i] = tex2D<float>(t, i % size + 0.5f, i / size + 0.5f);
}

float texelOf(int i) { return float(i * 13 % 101) + 0.25f; }

template <class T = float>
cudaArray_t makeArray(cudaExtent extent, unsigned flags, const std::vector<T> &data) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaExtent known = {}, copied = extent;
  unsigned knownFlags = 0;
  CHECK(cudaArrayGetInfo(&format, &known, &knownFlags, array));
  expectEqual("extent", 0, known.width + known.height + known.depth,
              extent.width + extent.height + extent.depth);
  expectEqual("flags", 0, knownFlags, flags);
  copied.height = std::max<size_t>(copied.height, 1);
  copied.depth = std::max<size_t>(copied.depth, 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T *>(data.data()), copied.width * sizeof(T),
                                    copied.width, copied.height);
  copy.dstArray = array;
  copy.extent = copied;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

cudaTextureObject_t makeTexture(const cudaResourceDesc &resource, cudaTextureDesc d = {}) {
  std::fill(d.addressMode, d.addressMode + 3, cudaAddressModeClamp);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
  return texture;
}

cudaTextureObject_t makeTexture(cudaArray_t array, const cudaTextureDesc &d = {}) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return makeTexture(resource, d);
}

/// Reads each texel once, which gives the array's contents.
template <class Launch>
void checkAll(const char *name, cudaExtent extent, unsigned flags, Launch launch) {
  size_t count = extent.width * std::max<size_t>(extent.height, 1) * extent.depth;
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i)
    data[i] = texelOf(int(i));
  cudaArray_t array = makeArray(extent, flags, data);
  cudaTextureDesc d = {};
  d.normalizedCoords = (flags & cudaArrayCubemap) != 0;
  cudaTextureObject_t texture = makeTexture(array, d);
  DeviceArray<float> out(count);
  launch(int(count / size), out, texture);
  auto got = out.host();
  for (size_t i = 0; i < count; ++i)
    expectEqual(name, long(i), got[i], data[i]);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

void checkLevels(bool isLinear) {
  constexpr int levels = 4, reads = 13;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap;
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(size, size, 0), levels));
  for (int level = 0; level < levels; ++level) {
    cudaArray_t array;
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    cudaExtent extent = {};
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    expectEqual("level's width", level, extent.width, size >> level);
    std::vector<float> data(extent.width * extent.height, 10.0f * level);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, data.data(), extent.width * sizeof(float),
                              extent.width * sizeof(float), extent.height, cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  cudaTextureDesc d = {};
  d.normalizedCoords = 1;
  d.mipmapFilterMode = isLinear ? cudaFilterModeLinear : cudaFilterModePoint;
  d.maxMipmapLevelClamp = levels - 1;
  cudaTextureObject_t texture = makeTexture(resource, d);
  DeviceArray<float> out(3 * reads);
  readLevels<<<1, reads>>>(out, texture);
  auto got = out.host();
  for (int i = 0; i < reads; ++i) {
    double level = i * 0.25, whole = std::floor(level);
    // Which of two levels at the same distance is read, CUDA leaves open.
    bool isTie = level - whole == 0.5;
    if (isLinear)
      expect(std::fabs(got[3 * i] - 10 * level) < 0.05, "level", i, got[3 * i], 10 * level);
    else if (!isTie)
      expectEqual("level", i, got[3 * i], 10 * std::floor(level + 0.5));
    expect(std::fabs(got[3 * i + 1] - 10 * whole) < 0.1, "gradient", i, got[3 * i + 1], 10 * whole);
    expectEqual("base", i, got[3 * i + 2], 0.0f);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeMipmappedArray(mipmap));
}

void checkGather() {
  std::vector<float2> data(size * size);
  for (int i = 0; i < size * size; ++i)
    data[i] = make_float2(texelOf(i), -texelOf(i));
  cudaArray_t array =
      makeArray<float2>(make_cudaExtent(size, size, 0), cudaArrayTextureGather, data);
  cudaTextureObject_t texture = makeTexture(array);
  DeviceArray<float4> out(18);
  gather<<<1, 9>>>(out, texture);
  auto got = out.host();
  for (int i = 0; i < 9; ++i) {
    int corner = (i / 3 + 1) * size + i % 3; // the texel above and left
    const float wanted[4] = {texelOf(corner + size), texelOf(corner + size + 1),
                             texelOf(corner + 1), texelOf(corner)};
    const float channels[2][4] = {
        {got[2 * i].x, got[2 * i].y, got[2 * i].z, got[2 * i].w},
        {got[2 * i + 1].x, got[2 * i + 1].y, got[2 * i + 1].z, got[2 * i + 1].w}};
    for (int j = 0; j < 4; ++j) {
      expectEqual("gather", i * 4 + j, channels[0][j], wanted[j]);
      expectEqual("gather of y", i * 4 + j, channels[1][j], -wanted[j]);
    }
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

/// Elements outside of linear memory are 0.
void checkLinear() {
  constexpr int count = 28;
  std::vector<int> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = 100 + i;
  DeviceArray<int> memory(data), out(32);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = count * sizeof(int);
  cudaTextureObject_t texture = makeTexture(resource);
  fetch<<<1, 32>>>(out, texture, count);
  auto got = out.host();
  for (int i = 0; i < 32; ++i)
    expectEqual("linear", i, got[i], i >= 2 && i < count + 2 ? 98 + i : 0);
  cudaResourceDesc known = {};
  CHECK(cudaGetTextureObjectResourceDesc(&known, texture));
  expectEqual("resource", 0, known.res.linear.sizeInBytes, count * sizeof(int));
  CHECK(cudaDestroyTextureObject(texture));
}

void checkPitched() {
  std::vector<float> data(size * size);
  for (int i = 0; i < size * size; ++i)
    data[i] = texelOf(i);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  auto &pitched = resource.res.pitch2D;
  CHECK(cudaMallocPitch(&pitched.devPtr, &pitched.pitchInBytes, size * sizeof(float), size));
  CHECK(cudaMemcpy2D(pitched.devPtr, pitched.pitchInBytes, data.data(), size * sizeof(float),
                     size * sizeof(float), size, cudaMemcpyHostToDevice));
  pitched.desc = cudaCreateChannelDesc<float>();
  pitched.width = pitched.height = size;
  cudaTextureObject_t texture = makeTexture(resource);
  DeviceArray<float> out(size * size);
  readPitched<<<1, size * size>>>(out, texture);
  auto got = out.host();
  for (int i = 0; i < size * size; ++i)
    expectEqual("pitched", i, got[i], data[i]);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(pitched.devPtr));
}

int main() {
  auto lines = [](int blocks, float *out, cudaTextureObject_t t) {
    readLines<<<blocks, size>>>(out, t);
  };
  auto planes = [](int blocks, float *out, cudaTextureObject_t t) {
    readPlanes<<<blocks, size>>>(out, t);
  };
  auto cube = [](int blocks, float *out, cudaTextureObject_t t) {
    readCube<<<blocks, size>>>(out, t, false);
  };
  auto cubes = [](int blocks, float *out, cudaTextureObject_t t) {
    readCube<<<blocks, size>>>(out, t, true);
  };
  checkAll("lines", make_cudaExtent(size, 0, layers), cudaArrayLayered, lines);
  checkAll("planes", make_cudaExtent(size, size, layers), cudaArrayLayered, planes);
  checkAll("cube", make_cudaExtent(size, size, 6), cudaArrayCubemap, cube);
  checkAll("cubes", make_cudaExtent(size, size, 12), cudaArrayCubemap | cudaArrayLayered, cubes);
  checkLevels(false);
  checkLevels(true);
  checkGather();
  checkLinear();
  checkPitched();
  return verdict("texture_shapes");
}
