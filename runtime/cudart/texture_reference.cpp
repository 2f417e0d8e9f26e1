//===- texture_reference.cpp - Texture references of CUDA 11 --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the device, a reference is a variable that holds a texture or surface object
// (compiler/Frontend/TextureReferences.h). Binding creates the object and stores it.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/texture_reference.h"

#include "runtime/core/launch.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/texture.h"

#include <cstring>

using namespace regrain;

namespace {

/// The object that a reference holds on one device.
struct Binding {
  unsigned long long object = 0;
  bool isSurface = false;
  size_t offset = 0; ///< of the memory from the aligned address, in bytes
  cudaResourceDesc resource;
  cudaTextureDesc description;
};

struct References {
  static References &get() {
    static References *references = new References; // outlives the program's own statics
    return *references;
  }
  std::mutex mutex;
  std::map<const void *, bool> readsNormalized;
  std::map<std::pair<const void *, int>, Binding> bindings;
};

/// A reset of the device has ended the objects that references held.
cudaError_t destroy(const Binding &binding) {
  bool isAlive = binding.isSurface ? ArrayTable::get().surfaces.find(binding.object).has_value()
                                   : ArrayTable::get().textures.find(binding.object).has_value();
  if (!isAlive)
    return cudaSuccess;
  return binding.isSurface ? destroySurface(binding.object) : destroyTexture(binding.object);
}

/// Kernels that were launched before use the former object, so this waits for them.
cudaError_t store(OpenDevice &current, const void *reference, unsigned long long object) {
  void *address = nullptr;
  size_t bytes = 0;
  if (findVariable(reference, address, bytes) != cudaSuccess || bytes != sizeof(object))
    return cudaErrorInvalidTexture;
  if (cudaError_t status = current.device->synchronize(); status != cudaSuccess)
    return status;
  return current.device->copy(address, bytes, &object, bytes, {bytes, 1}, cudaMemcpyHostToDevice,
                              nullptr, /*async=*/false);
}

/// Stores the new object in place of the one that the reference held.
cudaError_t bind(OpenDevice &current, const void *reference, const Binding &binding) {
  References &references = References::get();
  cudaError_t status = store(current, reference, binding.object);
  if (status != cudaSuccess) {
    static_cast<void>(destroy(binding)); // the first error is reported
    return status;
  }
  std::lock_guard lock(references.mutex);
  Binding &held = references.bindings[{reference, current.ordinal}];
  Binding former = std::exchange(held, binding);
  return destroy(former);
}

cudaTextureDesc descriptionOf(const textureReference &reference, bool readsNormalized) {
  cudaTextureDesc description = {};
  std::memcpy(description.addressMode, reference.addressMode, sizeof(description.addressMode));
  description.filterMode = reference.filterMode;
  description.readMode = readsNormalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = reference.normalized;
  description.sRGB = reference.sRGB;
  description.maxAnisotropy = reference.maxAnisotropy;
  description.mipmapFilterMode = reference.mipmapFilterMode;
  description.mipmapLevelBias = reference.mipmapLevelBias;
  description.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  description.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return description;
}

/// Returns whether the reference already holds a texture of the same memory and settings. The
/// handle of an array may have become another array's.
bool isBoundTo(OpenDevice &current, const void *reference, const cudaResourceDesc &resource,
               const cudaTextureDesc &description, size_t offset) {
  if (resource.resType != cudaResourceTypeLinear && resource.resType != cudaResourceTypePitch2D)
    return false;
  References &references = References::get();
  std::lock_guard lock(references.mutex);
  auto found = references.bindings.find({reference, current.ordinal});
  return found != references.bindings.end() &&
         ArrayTable::get().textures.find(found->second.object) && found->second.offset == offset &&
         !std::memcmp(&found->second.resource, &resource, sizeof(resource)) &&
         !std::memcmp(&found->second.description, &description, sizeof(description));
}

cudaError_t bindTexture(OpenDevice &current, const textureReference &reference,
                        const cudaResourceDesc &resource, size_t offset = 0) {
  References &references = References::get();
  bool readsNormalized = false;
  {
    std::lock_guard lock(references.mutex);
    auto found = references.readsNormalized.find(&reference);
    if (found == references.readsNormalized.end())
      return cudaErrorInvalidTexture;
    readsNormalized = found->second;
  }
  cudaTextureDesc description = descriptionOf(reference, readsNormalized);
  if (isBoundTo(current, &reference, resource, description, offset))
    return cudaSuccess;
  Binding binding;
  binding.offset = offset;
  binding.resource = resource;
  binding.description = description;
  cudaError_t status = createTexture(current, resource, description, nullptr, binding.object);
  return status == cudaSuccess ? bind(current, &reference, binding) : status;
}

/// Returns a resource whose unused bytes are zero, so that resources can be compared.
cudaResourceDesc emptyResource(cudaResourceType type) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof(resource));
  resource.resType = type;
  return resource;
}

/// Returns the offset of the pointer from an aligned address, and makes it that address. Without
/// `offset`, the program cannot add it to its indices.
cudaError_t alignDown(const cudaDeviceProp &limits, size_t *offset, void *&pointer, size_t &bytes) {
  bytes =
      limits.textureAlignment ? reinterpret_cast<uintptr_t>(pointer) % limits.textureAlignment : 0;
  if (bytes && !offset)
    return cudaErrorInvalidValue;
  if (offset)
    *offset = bytes;
  pointer = static_cast<char *>(pointer) - bytes;
  return cudaSuccess;
}

/// Returns the bytes from the pointer to the end of its allocation, at most `bytes`.
size_t bytesBehind(OpenDevice &current, const void *pointer, size_t bytes) {
  for (const Allocation &each : current.allocations.list()) {
    size_t from = size_t(static_cast<const char *>(pointer) - static_cast<char *>(each.pointer));
    if (from < each.bytes)
      return std::min(bytes, each.bytes - from);
  }
  return bytes;
}

} // namespace

void regrain::addReference(const void *hostVariable, bool readsNormalized) {
  References &references = References::get();
  std::lock_guard lock(references.mutex);
  references.readsNormalized[hostVariable] = readsNormalized;
}

cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference, const void *pointer,
                            const cudaChannelFormatDesc *description, size_t bytes) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!reference || !pointer || !description)
      return cudaErrorInvalidValue;
    cudaResourceDesc resource = emptyResource(cudaResourceTypeLinear);
    auto &linear = resource.res.linear;
    linear.devPtr = const_cast<void *>(pointer);
    linear.desc = *description;
    size_t shift = 0;
    if (cudaError_t status = alignDown(current.properties, offset, linear.devPtr, shift);
        status != cudaSuccess)
      return status;
    linear.sizeInBytes = bytesBehind(current, pointer, bytes) + shift;
    return bindTexture(current, *reference, resource, shift);
  });
}

cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                              const void *pointer, const cudaChannelFormatDesc *description,
                              size_t width, size_t height, size_t pitch) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!reference || !pointer || !description || !channelCount(*description))
      return cudaErrorInvalidValue;
    cudaResourceDesc resource = emptyResource(cudaResourceTypePitch2D);
    auto &pitched = resource.res.pitch2D;
    pitched.devPtr = const_cast<void *>(pointer);
    pitched.desc = *description;
    size_t shift = 0;
    if (cudaError_t status = alignDown(current.properties, offset, pitched.devPtr, shift);
        status != cudaSuccess)
      return status;
    pitched.width = width + shift / elementBytes(*description);
    pitched.height = height;
    pitched.pitchInBytes = pitch;
    return bindTexture(current, *reference, resource, shift);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference *reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *description) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!reference || !description)
      return cudaErrorInvalidValue;
    cudaResourceDesc resource = emptyResource(cudaResourceTypeArray);
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return bindTexture(current, *reference, resource);
  });
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference *reference,
                                            cudaMipmappedArray_const_t mipmap,
                                            const cudaChannelFormatDesc *description) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!reference || !description)
      return cudaErrorInvalidValue;
    cudaResourceDesc resource = emptyResource(cudaResourceTypeMipmappedArray);
    resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(mipmap);
    return bindTexture(current, *reference, resource);
  });
}

cudaError_t cudaUnbindTexture(const textureReference *reference) {
  return onOpenDevice([&](OpenDevice &current) {
    return reference ? bind(current, reference, Binding()) : cudaErrorInvalidTexture;
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *reference) {
  return onOpenDevice([&](OpenDevice &current) {
    References &references = References::get();
    std::lock_guard lock(references.mutex);
    auto found = references.bindings.find({reference, current.ordinal});
    if (!offset || found == references.bindings.end() || !found->second.object)
      return cudaErrorInvalidTextureBinding;
    *offset = found->second.offset;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const textureReference **reference, const void *symbol) {
  return onOpenDevice([&](OpenDevice &) {
    References &references = References::get();
    std::lock_guard lock(references.mutex);
    if (!reference || !references.readsNormalized.contains(symbol))
      return cudaErrorInvalidTexture;
    *reference = static_cast<const textureReference *>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *description) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!reference || !description)
      return cudaErrorInvalidValue;
    Binding binding;
    binding.isSurface = true;
    cudaError_t status = createSurface(const_cast<cudaArray_t>(array), binding.object);
    return status == cudaSuccess ? bind(current, reference, binding) : status;
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference **reference, const void *symbol) {
  return onOpenDevice([&](OpenDevice &) {
    References &references = References::get();
    std::lock_guard lock(references.mutex);
    if (!reference || !references.readsNormalized.contains(symbol))
      return cudaErrorInvalidSurface;
    *reference = static_cast<const surfaceReference *>(symbol);
    return cudaSuccess;
  });
}
