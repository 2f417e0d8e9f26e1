//===- arrays.cpp - Arrays, textures and surfaces of the driver API -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles are the runtime's.
//
//===----------------------------------------------------------------------===//
#include "runtime/driver/arrays.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace regrain::driver {
namespace {

struct Format {
  int bits;
  cudaChannelFormatKind kind;
};

std::optional<Format> describe(CUarray_format format) {
  switch (format) {
  case CU_AD_FORMAT_UNSIGNED_INT8:
    return Format{8, cudaChannelFormatKindUnsigned};
  case CU_AD_FORMAT_UNSIGNED_INT16:
    return Format{16, cudaChannelFormatKindUnsigned};
  case CU_AD_FORMAT_UNSIGNED_INT32:
    return Format{32, cudaChannelFormatKindUnsigned};
  case CU_AD_FORMAT_SIGNED_INT8:
    return Format{8, cudaChannelFormatKindSigned};
  case CU_AD_FORMAT_SIGNED_INT16:
    return Format{16, cudaChannelFormatKindSigned};
  case CU_AD_FORMAT_SIGNED_INT32:
    return Format{32, cudaChannelFormatKindSigned};
  case CU_AD_FORMAT_HALF:
    return Format{16, cudaChannelFormatKindFloat};
  case CU_AD_FORMAT_FLOAT:
    return Format{32, cudaChannelFormatKindFloat};
  }
  return std::nullopt;
}

/// Returns none if there is no such element.
std::optional<cudaChannelFormatDesc> channels(CUarray_format format, unsigned count) {
  std::optional<Format> known = describe(format);
  if (!known || (count != 1 && count != 2 && count != 4))
    return std::nullopt;
  auto bits = [&](unsigned channel) { return channel < count ? known->bits : 0; };
  return cudaChannelFormatDesc{bits(0), bits(1), bits(2), bits(3), known->kind};
}

cudaArray_t toRuntime(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
void *toRuntime(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }

/// Returns none if an element is not one that the runtime has.
std::optional<cudaResourceDesc> toRuntime(const CUDA_RESOURCE_DESC &resource) {
  cudaResourceDesc known = {};
  std::optional<cudaChannelFormatDesc> element;
  switch (resource.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    known.resType = cudaResourceTypeArray;
    known.res.array.array = toRuntime(resource.res.array.hArray);
    return known;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    return std::nullopt; // the runtime's are not handed out by this interface
  case CU_RESOURCE_TYPE_LINEAR:
    element = channels(resource.res.linear.format, resource.res.linear.numChannels);
    if (!element)
      return std::nullopt;
    known.resType = cudaResourceTypeLinear;
    known.res.linear = {toRuntime(resource.res.linear.devPtr), *element,
                        resource.res.linear.sizeInBytes};
    return known;
  case CU_RESOURCE_TYPE_PITCH2D:
    element = channels(resource.res.pitch2D.format, resource.res.pitch2D.numChannels);
    if (!element)
      return std::nullopt;
    known.resType = cudaResourceTypePitch2D;
    known.res.pitch2D = {toRuntime(resource.res.pitch2D.devPtr), *element,
                         resource.res.pitch2D.width, resource.res.pitch2D.height,
                         resource.res.pitch2D.pitchInBytes};
    return known;
  }
  return std::nullopt;
}

/// Returns the elements that a fetch reads.
CUresult elementsOf(const cudaResourceDesc &resource, cudaChannelFormatDesc &out) {
  if (resource.resType == cudaResourceTypeLinear)
    out = resource.res.linear.desc;
  else if (resource.resType == cudaResourceTypePitch2D)
    out = resource.res.pitch2D.desc;
  else
    return toDriver(cudaGetChannelDesc(&out, resource.res.array.array));
  return CUDA_SUCCESS;
}

/// Integers of up to 16 bits become fractions, unless the flag keeps them.
cudaTextureReadMode readMode(unsigned flags, const cudaChannelFormatDesc &element) {
  bool isFraction = !(flags & CU_TRSF_READ_AS_INTEGER) && element.f != cudaChannelFormatKindFloat &&
                    element.x <= 16;
  return isFraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
}

// The modes have the same numbers in both interfaces.
cudaTextureDesc toRuntime(const CUDA_TEXTURE_DESC &texture, const cudaChannelFormatDesc &element) {
  cudaTextureDesc known = {};
  for (int i = 0; i < 3; ++i)
    known.addressMode[i] = static_cast<cudaTextureAddressMode>(texture.addressMode[i]);
  known.filterMode = static_cast<cudaTextureFilterMode>(texture.filterMode);
  known.readMode = readMode(texture.flags, element);
  known.sRGB = (texture.flags & CU_TRSF_SRGB) != 0;
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), known.borderColor);
  known.normalizedCoords = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  known.maxAnisotropy = texture.maxAnisotropy;
  known.mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture.mipmapFilterMode);
  known.mipmapLevelBias = texture.mipmapLevelBias;
  known.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  known.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  known.disableTrilinearOptimization =
      (texture.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  known.seamlessCubemap = (texture.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  return known;
}

} // namespace

bool isArrayCopy(const CUDA_MEMCPY2D &copy) {
  return copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY;
}

CUresult copyArray(const CUDA_MEMCPY2D &copy) {
  size_t width = copy.WidthInBytes, height = copy.Height;
  auto memory = [&](CUmemorytype type, const void *host, CUdeviceptr device, size_t pitch, size_t x,
                    size_t y) {
    auto *start = static_cast<const char *>(type == CU_MEMORYTYPE_HOST ? host : toRuntime(device));
    return const_cast<char *>(start) + y * pitch + x;
  };
  if (copy.srcMemoryType == CU_MEMORYTYPE_ARRAY && copy.dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return toDriver(cudaMemcpy2DArrayToArray(toRuntime(copy.dstArray), copy.dstXInBytes, copy.dstY,
                                             toRuntime(copy.srcArray), copy.srcXInBytes, copy.srcY,
                                             width, height, cudaMemcpyDeviceToDevice));
  if (copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) {
    size_t pitch = std::max(copy.srcPitch, width); // a single row may have no pitch
    return toDriver(cudaMemcpy2DToArray(toRuntime(copy.dstArray), copy.dstXInBytes, copy.dstY,
                                        memory(copy.srcMemoryType, copy.srcHost, copy.srcDevice,
                                               pitch, copy.srcXInBytes, copy.srcY),
                                        pitch, width, height, cudaMemcpyDefault));
  }
  size_t pitch = std::max(copy.dstPitch, width);
  return toDriver(cudaMemcpy2DFromArray(
      memory(copy.dstMemoryType, copy.dstHost, copy.dstDevice, pitch, copy.dstXInBytes, copy.dstY),
      pitch, toRuntime(copy.srcArray), copy.srcXInBytes, copy.srcY, width, height,
      cudaMemcpyDefault));
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *description) {
  if (!array || !description)
    return CUDA_ERROR_INVALID_VALUE;
  auto element = channels(description->Format, description->NumChannels);
  if (!element)
    return CUDA_ERROR_INVALID_VALUE;
  return toDriver(cudaMallocArray(reinterpret_cast<cudaArray_t *>(array), &*element,
                                  description->Width, description->Height, cudaArrayDefault));
}

// The flags have the same numbers in both interfaces.
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *description) {
  if (!array || !description)
    return CUDA_ERROR_INVALID_VALUE;
  auto element = channels(description->Format, description->NumChannels);
  if (!element)
    return CUDA_ERROR_INVALID_VALUE;
  return toDriver(cudaMalloc3DArray(
      reinterpret_cast<cudaArray_t *>(array), &*element,
      cudaExtent{description->Width, description->Height, description->Depth}, description->Flags));
}

CUresult cuArrayDestroy(CUarray array) { return toDriver(cudaFreeArray(toRuntime(array))); }

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *description,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
  if (!texture || !resource || !description)
    return CUDA_ERROR_INVALID_VALUE;
  std::optional<cudaResourceDesc> known = toRuntime(*resource);
  if (view || !known)
    return CUDA_ERROR_NOT_SUPPORTED;
  cudaChannelFormatDesc element = {};
  if (CUresult result = elementsOf(*known, element); result != CUDA_SUCCESS)
    return result;
  cudaTextureDesc modes = toRuntime(*description, element);
  return toDriver(cudaCreateTextureObject(texture, &*known, &modes, nullptr));
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
  return toDriver(cudaDestroyTextureObject(texture));
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource) {
  if (!surface || !resource)
    return CUDA_ERROR_INVALID_VALUE;
  std::optional<cudaResourceDesc> known = toRuntime(*resource);
  return known ? toDriver(cudaCreateSurfaceObject(surface, &*known)) : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return toDriver(cudaDestroySurfaceObject(surface));
}

} // namespace regrain::driver
