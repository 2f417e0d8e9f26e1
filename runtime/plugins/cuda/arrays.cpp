//===- arrays.cpp - An NVIDIA GPU: arrays and textures --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of enumerations are those of cuda.h in the driver API reference. Flags of
// arrays, address modes, filter modes and kinds of resources have the same values in
// both APIs.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/arrays.h"

#include "runtime/plugins/cuda/device.h"

#include <cstring>

namespace regrain::cuda {
namespace {

/// CUarray_format: 1, 2, 3 for unsigned integers of 8, 16 and 32 bits, and 8, 9, 10 for signed
/// ones.
int driverFormat(const cudaChannelFormatDesc &format) {
  if (format.f == cudaChannelFormatKindFloat)
    return format.x == 16 ? 0x10 : 0x20;
  int size = format.x == 8 ? 0 : format.x == 16 ? 1 : 2;
  return size + (format.f == cudaChannelFormatKindUnsigned ? 1 : 8);
}

DriverArrayShape driverShape(const ArrayShape &shape) {
  return {shape.extent.width,         shape.extent.height,        shape.extent.depth,
          driverFormat(shape.format), channelCount(shape.format), shape.flags};
}

CUarray toDriver(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }
CUmipmappedArray toDriver(cudaMipmappedArray_t mipmap) {
  return reinterpret_cast<CUmipmappedArray>(mipmap);
}

DriverBoxEnd driverEnd(const BoxEnd &end, DriverMemory kindOfMemory) {
  DriverBoxEnd out = {};
  out.x = end.position.x;
  out.y = end.position.y;
  out.z = end.position.z;
  out.kind = end.array ? DriverMemory::Array : kindOfMemory;
  out.array = toDriver(end.array);
  out.host = end.memory.ptr;
  out.device = reinterpret_cast<CUdeviceptr>(end.memory.ptr);
  out.pitch = end.memory.pitch;
  out.height = end.memory.ysize;
  return out;
}

DriverResource driverResource(const cudaResourceDesc &resource) {
  DriverResource out = {};
  out.type = resource.resType;
  switch (resource.resType) {
  case cudaResourceTypeArray:
    out.array = toDriver(resource.res.array.array);
    break;
  case cudaResourceTypeMipmappedArray:
    out.mipmap = toDriver(resource.res.mipmap.mipmap);
    break;
  case cudaResourceTypeLinear: {
    const auto &linear = resource.res.linear;
    out.linear = {reinterpret_cast<CUdeviceptr>(linear.devPtr), driverFormat(linear.desc),
                  channelCount(linear.desc), linear.sizeInBytes};
    break;
  }
  case cudaResourceTypePitch2D: {
    const auto &pitched = resource.res.pitch2D;
    out.pitched = {reinterpret_cast<CUdeviceptr>(pitched.devPtr),
                   driverFormat(pitched.desc),
                   channelCount(pitched.desc),
                   pitched.width,
                   pitched.height,
                   pitched.pitchInBytes};
    break;
  }
  }
  return out;
}

/// CU_TRSF_: READ_AS_INTEGER, NORMALIZED_COORDINATES, SRGB, DISABLE_TRILINEAR_OPTIMIZATION,
/// SEAMLESS_CUBEMAP.
unsigned driverFlags(const cudaTextureDesc &description) {
  unsigned flags = 0;
  flags |= description.readMode == cudaReadModeElementType ? 0x01 : 0;
  flags |= description.normalizedCoords ? 0x02 : 0;
  flags |= description.sRGB ? 0x10 : 0;
  flags |= description.disableTrilinearOptimization ? 0x20 : 0;
  flags |= description.seamlessCubemap ? 0x40 : 0;
  return flags;
}

DriverTexture driverTexture(const cudaTextureDesc &description) {
  DriverTexture out = {};
  for (unsigned i = 0; i < 3; ++i)
    out.addressMode[i] = description.addressMode[i];
  out.filterMode = description.filterMode;
  out.flags = driverFlags(description);
  out.maxAnisotropy = description.maxAnisotropy;
  out.mipmapFilterMode = description.mipmapFilterMode;
  out.mipmapLevelBias = description.mipmapLevelBias;
  out.minMipmapLevelClamp = description.minMipmapLevelClamp;
  out.maxMipmapLevelClamp = description.maxMipmapLevelClamp;
  std::memcpy(out.borderColor, description.borderColor, sizeof(out.borderColor));
  return out;
}

DriverView driverView(const cudaResourceViewDesc &view) {
  DriverView out = {};
  out.format = view.format;
  out.width = view.width;
  out.height = view.height;
  out.depth = view.depth;
  out.firstLevel = view.firstMipmapLevel;
  out.lastLevel = view.lastMipmapLevel;
  out.firstLayer = view.firstLayer;
  out.lastLayer = view.lastLayer;
  return out;
}

} // namespace

cudaError_t CudaArrays::create(const ArrayShape &shape, cudaArray_t &out) {
  DriverArrayShape description = driverShape(shape);
  CUarray array = nullptr;
  CUresult result = driver.array3DCreate(&array, &description);
  out = reinterpret_cast<cudaArray_t>(array);
  return toRuntime(result);
}

cudaError_t CudaArrays::destroy(cudaArray_t array) {
  return toRuntime(driver.arrayDestroy(toDriver(array)));
}

cudaError_t CudaArrays::createMipmapped(const ArrayShape &shape, unsigned levels,
                                        cudaMipmappedArray_t &out) {
  DriverArrayShape description = driverShape(shape);
  CUmipmappedArray mipmap = nullptr;
  CUresult result = driver.mipmappedArrayCreate(&mipmap, &description, levels);
  out = reinterpret_cast<cudaMipmappedArray_t>(mipmap);
  return toRuntime(result);
}

cudaError_t CudaArrays::destroyMipmapped(cudaMipmappedArray_t mipmap) {
  return toRuntime(driver.mipmappedArrayDestroy(toDriver(mipmap)));
}

cudaError_t CudaArrays::level(cudaMipmappedArray_t mipmap, unsigned level, cudaArray_t &out) {
  CUarray array = nullptr;
  CUresult result = driver.mipmappedArrayGetLevel(&array, toDriver(mipmap), level);
  out = reinterpret_cast<cudaArray_t>(array);
  return toRuntime(result);
}

cudaError_t CudaArrays::copy(const BoxCopy &box, cudaStream_t stream, bool async) {
  DriverCopy3D copy = {};
  copy.from = driverEnd(box.from, sourceKind(box.kind));
  copy.to = driverEnd(box.to, targetKind(box.kind));
  copy.width = box.extent.width;
  copy.height = box.extent.height;
  copy.depth = box.extent.depth;
  return toRuntime(async ? driver.memcpy3DAsync(&copy, stream) : driver.memcpy3D(&copy));
}

cudaError_t CudaArrays::createTexture(const cudaResourceDesc &resource,
                                      const cudaTextureDesc &description,
                                      const cudaResourceViewDesc *view, cudaTextureObject_t &out) {
  DriverResource memory = driverResource(resource);
  DriverTexture texture = driverTexture(description);
  DriverView part = view ? driverView(*view) : DriverView();
  return toRuntime(driver.texObjectCreate(&out, &memory, &texture, view ? &part : nullptr));
}

cudaError_t CudaArrays::destroyTexture(cudaTextureObject_t texture) {
  return toRuntime(driver.texObjectDestroy(texture));
}

cudaError_t CudaArrays::createSurface(cudaArray_t array, cudaSurfaceObject_t &out) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  DriverResource memory = driverResource(resource);
  return toRuntime(driver.surfObjectCreate(&out, &memory));
}

cudaError_t CudaArrays::destroySurface(cudaSurfaceObject_t surface) {
  return toRuntime(driver.surfObjectDestroy(surface));
}

} // namespace regrain::cuda
