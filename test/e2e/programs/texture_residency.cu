//===- texture_residency.cu - Reads that tell what is resident --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of reads for sparse arrays return what the others do, and that all of it is in memory,
// because no array here is sparse.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O2 --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -c --targets=compute_60,compute_90 -o %t.o %s
#include "expect.h"
#include <algorithm>

constexpr int size = 4, texels = size * size * size;

enum Read {
  plane,
  planeLod,
  planeGrad,
  planeGather,
  volume,
  volumeLod,
  volumeGrad,
  layer,
  layerLod,
  layerGrad
};

struct Place {
  float x, y, z;
  int layer;
};

template <Read Kind> __device__ float plain(cudaTextureObject_t t, Place p) {
  float2 step = make_float2(0.1f, 0.2f);
  float4 step3 = make_float4(0.1f, 0.2f, 0.3f, 0);
  if constexpr (Kind == plane)
    return tex2D<float>(t, p.x, p.y);
  else if constexpr (Kind == planeLod)
    return tex2DLod<float>(t, p.x, p.y, 0);
  else if constexpr (Kind == planeGrad)
    return tex2DGrad<float>(t, p.x, p.y, step, step);
  else if constexpr (Kind == planeGather)
    return tex2Dgather<float4>(t, p.x, p.y).z + tex2Dgather<float4>(t, p.x, p.y, 1).x;
  else if constexpr (Kind == volume)
    return tex3D<float>(t, p.x, p.y, p.z);
  else if constexpr (Kind == volumeLod)
    return tex3DLod<float>(t, p.x, p.y, p.z, 0);
  else if constexpr (Kind == volumeGrad)
    return tex3DGrad<float>(t, p.x, p.y, p.z, step3, step3);
  else if constexpr (Kind == layer)
    return tex2DLayered<float>(t, p.x, p.y, p.layer);
  else if constexpr (Kind == layerLod)
    return tex2DLayeredLod<float>(t, p.x, p.y, p.layer, 0);
  else
    return tex2DLayeredGrad<float>(t, p.x, p.y, p.layer, step, step);
}

template <Read Kind> __device__ float told(cudaTextureObject_t t, Place p, bool *is) {
  float2 step = make_float2(0.1f, 0.2f);
  float4 step3 = make_float4(0.1f, 0.2f, 0.3f, 0);
  float value = 0;
  if constexpr (Kind == plane)
    tex2D(&value, t, p.x, p.y, is);
  else if constexpr (Kind == planeLod)
    value = tex2DLod<float>(t, p.x, p.y, 0, is);
  else if constexpr (Kind == planeGrad)
    value = tex2DGrad<float>(t, p.x, p.y, step, step, is);
  else if constexpr (Kind == planeGather) {
    bool other = false;
    value = tex2Dgather<float4>(t, p.x, p.y, is).z + tex2Dgather<float4>(t, p.x, p.y, &other, 1).x;
    *is &= other;
  } else if constexpr (Kind == volume)
    value = tex3D<float>(t, p.x, p.y, p.z, is);
  else if constexpr (Kind == volumeLod)
    value = tex3DLod<float>(t, p.x, p.y, p.z, 0, is);
  else if constexpr (Kind == volumeGrad)
    tex3DGrad(&value, t, p.x, p.y, p.z, step3, step3, is);
  else if constexpr (Kind == layer)
    value = tex2DLayered<float>(t, p.x, p.y, p.layer, is);
  else if constexpr (Kind == layerLod)
    value = tex2DLayeredLod<float>(t, p.x, p.y, p.layer, 0, is);
  else
    value = tex2DLayeredGrad<float>(t, p.x, p.y, p.layer, step, step, is);
  return value;
}

struct Result {
  float plain, told;
  int isResident;
};

template <Read Kind> __global__ void read(Result *out, cudaTextureObject_t t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, z = i / (size * size);
  Place p = {i % size + 0.5f, i / size % size + 0.5f, z + 0.5f, z};
  bool is = false;
  float value = told<Kind>(t, p, &is);
  out[i] = {plain<Kind>(t, p), value, is};
}

template <Read Kind> void check(const char *name, cudaExtent extent, unsigned flags) {
  std::vector<float> data(texels);
  for (int i = 0; i < texels; ++i)
    data[i] = 3.0f + float(i * 7 % 61);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(data.data(), size * sizeof(float), size, size);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(size, size, std::max<size_t>(extent.depth, 1));
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc d = {};
  std::fill(d.addressMode, d.addressMode + 3, cudaAddressModeClamp);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &d, nullptr));
  DeviceArray<Result> out(texels);
  read<Kind><<<{4}, {texels / 4}>>>(out, texture);
  auto got = out.host();
  float sum = 0;
  for (int i = 0; i < texels; ++i) {
    expectEqual(name, i, got[i].told, got[i].plain);
    expectEqual(name, i, got[i].isResident, 1);
    sum += got[i].plain;
  }
  expect(sum > texels, "sum", 0, sum, texels);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

int main() {
  cudaExtent flat = make_cudaExtent(size, size, 0), deep = make_cudaExtent(size, size, size);
  check<plane>("plane", flat, 0);
  check<planeLod>("planeLod", flat, 0);
  check<planeGrad>("planeGrad", flat, 0);
  check<planeGather>("planeGather", flat, cudaArrayTextureGather);
  check<volume>("volume", deep, 0);
  check<volumeLod>("volumeLod", deep, 0);
  check<volumeGrad>("volumeGrad", deep, 0);
  check<layer>("layer", deep, cudaArrayLayered);
  check<layerLod>("layerLod", deep, cudaArrayLayered);
  check<layerGrad>("layerGrad", deep, cudaArrayLayered);
  return verdict("texture_residency");
}
