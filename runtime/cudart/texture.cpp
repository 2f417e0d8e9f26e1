//===- texture.cpp - Texture and surface objects --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/texture.h"

#include "runtime/cudart/entry.h"

using namespace regrain;

namespace {

bool isAligned(const void *pointer, size_t alignment) {
  return !alignment || reinterpret_cast<uintptr_t>(pointer) % alignment == 0;
}

cudaError_t checkMemory(const cudaDeviceProp &limits, const void *pointer,
                        const cudaChannelFormatDesc &format) {
  if (!channelCount(format))
    return cudaErrorInvalidChannelDescriptor;
  return pointer && isAligned(pointer, limits.textureAlignment) ? cudaSuccess
                                                                : cudaErrorInvalidValue;
}

cudaError_t checkPitched(const cudaDeviceProp &limits, const cudaResourceDesc &resource) {
  const auto &pitched = resource.res.pitch2D;
  if (cudaError_t status = checkMemory(limits, pitched.devPtr, pitched.desc); status != cudaSuccess)
    return status;
  bool isSound =
      pitched.width && pitched.height && pitched.width <= INT32_MAX &&
      pitched.height <= INT32_MAX &&
      pitched.pitchInBytes >= pitched.width * elementBytes(pitched.desc) &&
      (!limits.texturePitchAlignment || pitched.pitchInBytes % limits.texturePitchAlignment == 0);
  return isSound ? cudaSuccess : cudaErrorInvalidValue;
}

/// Checks the resource and gives the format of its elements.
cudaError_t checkResource(const cudaDeviceProp &limits, const cudaResourceDesc &resource,
                          cudaChannelFormatDesc &format) {
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    auto known = ArrayTable::get().arrays.find(resource.res.array.array);
    format = known ? known->shape.format : cudaChannelFormatDesc();
    return known ? cudaSuccess : cudaErrorInvalidValue;
  }
  case cudaResourceTypeMipmappedArray: {
    auto known = ArrayTable::get().mipmaps.find(resource.res.mipmap.mipmap);
    format = known ? known->shape.format : cudaChannelFormatDesc();
    return known ? cudaSuccess : cudaErrorInvalidValue;
  }
  case cudaResourceTypeLinear:
    format = resource.res.linear.desc;
    return checkMemory(limits, resource.res.linear.devPtr, format);
  case cudaResourceTypePitch2D:
    format = resource.res.pitch2D.desc;
    return checkPitched(limits, resource);
  }
  return cudaErrorInvalidValue;
}

bool areModes(const cudaTextureDesc &description) {
  for (cudaTextureAddressMode mode : description.addressMode)
    if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder)
      return false;
  return description.filterMode >= cudaFilterModePoint &&
         description.filterMode <= cudaFilterModeLinear &&
         description.readMode >= cudaReadModeElementType &&
         description.readMode <= cudaReadModeNormalizedFloat;
}

/// Memory that is addressed by whole elements is read without the settings of a filter.
cudaError_t checkDescription(const cudaTextureDesc &description, cudaResourceType type,
                             const cudaChannelFormatDesc &format) {
  if (!areModes(description))
    return cudaErrorInvalidValue;
  bool isFloat = format.f == cudaChannelFormatKindFloat;
  bool readsNormalized = description.readMode == cudaReadModeNormalizedFloat;
  if (!isFloat && readsNormalized && format.x == 32)
    return cudaErrorInvalidNormSetting;
  bool isFiltered =
      description.filterMode == cudaFilterModeLinear && type != cudaResourceTypeLinear;
  return isFiltered && !isFloat && !readsNormalized ? cudaErrorInvalidFilterSetting : cudaSuccess;
}

} // namespace

cudaError_t regrain::createTexture(OpenDevice &current, const cudaResourceDesc &resource,
                                   const cudaTextureDesc &description,
                                   const cudaResourceViewDesc *view, cudaTextureObject_t &out) {
  cudaChannelFormatDesc format = {};
  cudaError_t status = checkResource(current.properties, resource, format);
  if (status == cudaSuccess)
    status = checkDescription(description, resource.resType, format);
  if (status == cudaSuccess)
    status = current.arrays->createTexture(resource, description, view, out);
  if (status == cudaSuccess)
    ArrayTable::get().textures.add(
        out, {&current, resource, description, view ? std::optional(*view) : std::nullopt});
  return status;
}

cudaError_t regrain::destroyTexture(cudaTextureObject_t texture) {
  if (!texture)
    return cudaSuccess;
  std::optional<KnownTexture> known = ArrayTable::get().textures.take(texture);
  return known ? known->device->arrays->destroyTexture(texture) : cudaErrorInvalidValue;
}

cudaError_t regrain::createSurface(cudaArray_t array, cudaSurfaceObject_t &out) {
  std::optional<KnownArray> known = ArrayTable::get().arrays.find(array);
  if (!known || !(known->shape.flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  cudaError_t status = known->device->arrays->createSurface(array, out);
  if (status == cudaSuccess)
    ArrayTable::get().surfaces.add(out, {known->device, array});
  return status;
}

cudaError_t regrain::destroySurface(cudaSurfaceObject_t surface) {
  if (!surface)
    return cudaSuccess;
  std::optional<KnownSurface> known = ArrayTable::get().surfaces.take(surface);
  return known ? known->device->arrays->destroySurface(surface) : cudaErrorInvalidValue;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *description,
                                    const cudaResourceViewDesc *view) {
  return onOpenDevice([&](OpenDevice &current) {
    return texture && resource && description
               ? createTexture(current, *resource, *description, view, *texture)
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return onOpenDevice([&](OpenDevice &) { return destroyTexture(texture); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaTextureObject_t texture) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownTexture> known = ArrayTable::get().textures.find(texture);
    if (!resource || !known)
      return cudaErrorInvalidValue;
    *resource = known->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *description,
                                            cudaTextureObject_t texture) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownTexture> known = ArrayTable::get().textures.find(texture);
    if (!description || !known)
      return cudaErrorInvalidValue;
    *description = known->description;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view,
                                                 cudaTextureObject_t texture) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownTexture> known = ArrayTable::get().textures.find(texture);
    if (!view || !known || !known->view)
      return cudaErrorInvalidValue;
    *view = *known->view;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const cudaResourceDesc *resource) {
  return onOpenDevice([&](OpenDevice &) {
    return surface && resource && resource->resType == cudaResourceTypeArray
               ? createSurface(resource->res.array.array, *surface)
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return onOpenDevice([&](OpenDevice &) { return destroySurface(surface); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownSurface> known = ArrayTable::get().surfaces.find(surface);
    if (!resource || !known)
      return cudaErrorInvalidValue;
    *resource = {};
    resource->resType = cudaResourceTypeArray;
    resource->res.array.array = known->array;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                 const cudaChannelFormatDesc *description,
                                                 int device) {
  return entry([&] {
    OpenDevice *open = nullptr;
    if (!elements || !description)
      return cudaErrorInvalidValue;
    if (!channelCount(*description))
      return cudaErrorInvalidChannelDescriptor;
    cudaError_t status = Platform::get().status();
    if (status == cudaSuccess)
      status = Platform::get().open(device, open);
    if (status == cudaSuccess)
      *elements = size_t(open->properties.maxTexture1DLinear);
    return status;
  });
}
