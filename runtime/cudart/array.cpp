//===- array.cpp - Arrays of the runtime API ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/array_table.h"
#include "runtime/cudart/entry.h"

#include <algorithm>
#include <bit>

using namespace regrain;

namespace {

constexpr unsigned knownFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                cudaArrayTextureGather | cudaArrayColorAttachment;
constexpr unsigned facesOfCube = 6;

bool hasLayersOrFaces(unsigned flags) { return flags & (cudaArrayLayered | cudaArrayCubemap); }

cudaError_t checkFlags(unsigned flags) {
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return cudaErrorNotSupported;
  return flags & ~knownFlags ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t checkShape(const ArrayShape &shape) {
  const auto &[width, height, depth] = shape.extent;
  if (!channelCount(shape.format))
    return cudaErrorInvalidChannelDescriptor;
  if (cudaError_t status = checkFlags(shape.flags); status != cudaSuccess)
    return status;
  // Devices address less than 2^31 elements in each dimension.
  constexpr size_t most = INT32_MAX;
  bool isCube = shape.flags & cudaArrayCubemap, isLayered = shape.flags & cudaArrayLayered;
  bool isSound = width && width <= most && height <= most && depth <= most &&
                 (!depth || height || isLayered) && (!hasLayersOrFaces(shape.flags) || depth);
  bool isCubeSound = !isCube || (width == height && depth % facesOfCube == 0 &&
                                 (isLayered || depth == facesOfCube));
  return isSound && isCubeSound ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t createArray(OpenDevice &current, const ArrayShape &shape, cudaArray_t *out) {
  if (cudaError_t status = checkShape(shape); status != cudaSuccess)
    return status;
  cudaError_t status = current.arrays->create(shape, *out);
  if (status == cudaSuccess)
    ArrayTable::get().arrays.add(*out, {&current, shape});
  return status;
}

/// Returns the number of levels down to one element.
unsigned levelsOf(const ArrayShape &shape) {
  size_t longest = std::max(shape.extent.width, shape.extent.height);
  if (!hasLayersOrFaces(shape.flags))
    longest = std::max(longest, shape.extent.depth);
  return unsigned(std::bit_width(longest));
}

ArrayShape shapeOfLevel(ArrayShape shape, unsigned level) {
  auto scale = [level](size_t &size) { size = size ? std::max<size_t>(size >> level, 1) : 0; };
  scale(shape.extent.width);
  scale(shape.extent.height);
  if (!hasLayersOrFaces(shape.flags))
    scale(shape.extent.depth);
  return shape;
}

} // namespace

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *description,
                            size_t width, size_t height, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!array || !description || (flags & (cudaArrayLayered | cudaArrayCubemap)))
      return cudaErrorInvalidValue;
    return createArray(current, {*description, {width, height, 0}, flags}, array);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *description,
                              cudaExtent extent, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!array || !description)
      return cudaErrorInvalidValue;
    return createArray(current, {*description, extent, flags}, array);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return onOpenDevice([&](OpenDevice &) {
    if (!array)
      return cudaSuccess;
    std::optional<KnownArray> known = ArrayTable::get().arrays.find(array);
    if (!known || known->mipmap)
      return cudaErrorInvalidValue;
    if (!ArrayTable::get().arrays.take(array))
      return cudaErrorInvalidValue;
    return known->device->arrays->destroy(array);
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *description, cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownArray> known = ArrayTable::get().arrays.find(array);
    if (!known)
      return cudaErrorInvalidResourceHandle;
    if (description)
      *description = known->shape.format;
    if (extent)
      *extent = known->shape.extent;
    if (flags)
      *flags = known->shape.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *description, cudaArray_const_t array) {
  return onOpenDevice([&](OpenDevice &) {
    std::optional<KnownArray> known = ArrayTable::get().arrays.find(const_cast<cudaArray_t>(array));
    if (!description || !known)
      return cudaErrorInvalidValue;
    *description = known->shape.format;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap,
                                     const cudaChannelFormatDesc *description, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!mipmap || !description || !levels)
      return cudaErrorInvalidValue;
    ArrayShape shape = {*description, extent, flags};
    if (cudaError_t status = checkShape(shape); status != cudaSuccess)
      return status;
    levels = std::min(levels, levelsOf(shape));
    cudaError_t status = current.arrays->createMipmapped(shape, levels, *mipmap);
    if (status == cudaSuccess)
      ArrayTable::get().mipmaps.add(*mipmap, {&current, shape, levels});
    return status;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap,
                                       unsigned int level) {
  return onOpenDevice([&](OpenDevice &) {
    auto handle = const_cast<cudaMipmappedArray_t>(mipmap);
    std::optional<KnownMipmap> known = ArrayTable::get().mipmaps.find(handle);
    if (!array || !known || level >= known->levels)
      return cudaErrorInvalidValue;
    cudaError_t status = known->device->arrays->level(handle, level, *array);
    if (status == cudaSuccess)
      ArrayTable::get().arrays.add(*array,
                                   {known->device, shapeOfLevel(known->shape, level), handle});
    return status;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap) {
  return onOpenDevice([&](OpenDevice &) {
    if (!mipmap)
      return cudaSuccess;
    std::optional<KnownMipmap> known = ArrayTable::get().mipmaps.take(mipmap);
    if (!known)
      return cudaErrorInvalidValue;
    ArrayTable::get().arrays.removeIf(
        [&](const KnownArray &array) { return array.mipmap == mipmap; });
    return known->device->arrays->destroyMipmapped(mipmap);
  });
}
