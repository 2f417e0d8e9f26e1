//===- software_arrays.cpp - Arrays in the memory of a device -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/software_arrays.h"

#include <algorithm>
#include <cstring>

namespace regrain {
namespace {

/// Rows start at multiples of the widest element.
constexpr uint64_t rowAlignment = 16;

struct Image {
  cudaChannelFormatDesc format;
  RegrainTextureLevel level;
};

/// The levels of a mipmapped array lie in one allocation.
struct Mipmap {
  void *memory;
  std::vector<Image> levels;
};

Image *imageOf(cudaArray_t array) { return reinterpret_cast<Image *>(array); }
Mipmap *mipmapOf(cudaMipmappedArray_t mipmap) { return reinterpret_cast<Mipmap *>(mipmap); }
void *pointerTo(uint64_t address) { return reinterpret_cast<void *>(address); }
uint64_t addressOf(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// Lays out one level without an address. Returns false if its size overflows.
bool layOut(const ArrayShape &shape, unsigned level, Image &out) {
  auto scaled = [&](size_t size) { return uint32_t(std::max<size_t>(size >> level, 1)); };
  bool hasLayers = shape.flags & (cudaArrayLayered | cudaArrayCubemap);
  out.format = shape.format;
  out.level = {};
  out.level.width = scaled(shape.extent.width);
  out.level.height = scaled(shape.extent.height);
  out.level.slices = hasLayers ? uint32_t(shape.extent.depth) : scaled(shape.extent.depth);
  uint64_t row = out.level.width * elementBytes(shape.format), bytes = 0;
  out.level.pitch = (row + rowAlignment - 1) / rowAlignment * rowAlignment;
  return !__builtin_mul_overflow(out.level.pitch, out.level.height, &out.level.slice) &&
         !__builtin_mul_overflow(out.level.slice, out.level.slices, &bytes);
}

uint64_t bytesOf(const Image &image) { return image.level.slice * image.level.slices; }

/// One end of a copy as memory.
struct Place {
  char *start;
  size_t pitch, slice;
};

Place placeOf(const BoxEnd &end) {
  if (end.array) {
    const RegrainTextureLevel &level = imageOf(end.array)->level;
    return {static_cast<char *>(pointerTo(level.address)) + end.position.z * level.slice +
                end.position.y * level.pitch + end.position.x,
            level.pitch, level.slice};
  }
  size_t slice = end.memory.pitch * end.memory.ysize;
  return {static_cast<char *>(end.memory.ptr) + end.position.z * slice +
              end.position.y * end.memory.pitch + end.position.x,
          end.memory.pitch, slice};
}

void setFormat(const cudaChannelFormatDesc &format, RegrainTexture &out) {
  out.kind = format.f;
  out.bits = uint32_t(format.x);
  out.channels = channelCount(format);
}

void setResource(const cudaResourceDesc &resource, RegrainTexture &out) {
  out.levelCount = 1;
  switch (resource.resType) {
  case cudaResourceTypeArray: {
    const Image &image = *imageOf(resource.res.array.array);
    setFormat(image.format, out);
    out.levels[0] = image.level;
    return;
  }
  case cudaResourceTypeMipmappedArray: {
    const Mipmap &mipmap = *mipmapOf(resource.res.mipmap.mipmap);
    setFormat(mipmap.levels[0].format, out);
    out.levelCount = uint32_t(mipmap.levels.size());
    for (uint32_t i = 0; i < out.levelCount; ++i)
      out.levels[i] = mipmap.levels[i].level;
    return;
  }
  case cudaResourceTypeLinear: {
    const auto &linear = resource.res.linear;
    setFormat(linear.desc, out);
    out.elements = linear.sizeInBytes / elementBytes(linear.desc);
    out.levels[0].address = addressOf(linear.devPtr);
    return;
  }
  case cudaResourceTypePitch2D: {
    const auto &pitched = resource.res.pitch2D;
    setFormat(pitched.desc, out);
    out.levels[0] = {addressOf(pitched.devPtr),
                     pitched.pitchInBytes,
                     pitched.pitchInBytes * pitched.height,
                     uint32_t(pitched.width),
                     uint32_t(pitched.height),
                     1,
                     0};
    return;
  }
  }
}

/// Wrapping and mirroring need normalized coordinates; CUDA clamps others.
uint32_t effectiveMode(const cudaTextureDesc &description, unsigned dimension) {
  cudaTextureAddressMode mode = description.addressMode[dimension];
  bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  return repeats && !description.normalizedCoords ? cudaAddressModeClamp : mode;
}

} // namespace

cudaError_t SoftwareArrays::create(const ArrayShape &shape, cudaArray_t &out) {
  auto image = std::make_unique<Image>();
  if (!layOut(shape, 0, *image))
    return cudaErrorMemoryAllocation;
  void *memory = nullptr;
  if (cudaError_t status = device.allocate(bytesOf(*image), memory); status != cudaSuccess)
    return status;
  image->level.address = addressOf(memory);
  out = reinterpret_cast<cudaArray_t>(image.release());
  return cudaSuccess;
}

cudaError_t SoftwareArrays::destroy(cudaArray_t array) {
  std::unique_ptr<Image> image(imageOf(array));
  return device.free(pointerTo(image->level.address));
}

cudaError_t SoftwareArrays::createMipmapped(const ArrayShape &shape, unsigned levels,
                                            cudaMipmappedArray_t &out) {
  auto mipmap = std::make_unique<Mipmap>();
  mipmap->levels.resize(std::min<unsigned>(levels, REGRAIN_TEXTURE_LEVELS));
  uint64_t bytes = 0;
  for (unsigned i = 0; i < mipmap->levels.size(); ++i) {
    Image &image = mipmap->levels[i];
    if (!layOut(shape, i, image))
      return cudaErrorMemoryAllocation;
    image.level.address = bytes;
    if (__builtin_add_overflow(bytes, bytesOf(image), &bytes))
      return cudaErrorMemoryAllocation;
  }
  if (cudaError_t status = device.allocate(bytes, mipmap->memory); status != cudaSuccess)
    return status;
  for (Image &image : mipmap->levels)
    image.level.address += addressOf(mipmap->memory);
  out = reinterpret_cast<cudaMipmappedArray_t>(mipmap.release());
  return cudaSuccess;
}

cudaError_t SoftwareArrays::destroyMipmapped(cudaMipmappedArray_t handle) {
  std::unique_ptr<Mipmap> mipmap(mipmapOf(handle));
  return device.free(mipmap->memory);
}

cudaError_t SoftwareArrays::level(cudaMipmappedArray_t mipmap, unsigned level, cudaArray_t &out) {
  std::vector<Image> &levels = mipmapOf(mipmap)->levels;
  if (level >= levels.size())
    return cudaErrorInvalidValue;
  out = reinterpret_cast<cudaArray_t>(&levels[level]);
  return cudaSuccess;
}

cudaError_t SoftwareArrays::copy(const BoxCopy &box, cudaStream_t stream, bool async) {
  Place to = placeOf(box.to), from = placeOf(box.from);
  for (size_t slice = 0; slice < box.extent.depth; ++slice) {
    cudaError_t status =
        device.copy(to.start + slice * to.slice, to.pitch, from.start + slice * from.slice,
                    from.pitch, {box.extent.width, box.extent.height}, box.kind, stream, async);
    if (status != cudaSuccess)
      return status;
  }
  return cudaSuccess;
}

cudaError_t SoftwareArrays::upload(const RegrainTexture &descriptor, unsigned long long &out) {
  void *memory = nullptr;
  if (cudaError_t status = device.allocate(sizeof(descriptor), memory); status != cudaSuccess)
    return status;
  cudaError_t status =
      device.copy(memory, sizeof(descriptor), &descriptor, sizeof(descriptor),
                  {sizeof(descriptor), 1}, cudaMemcpyHostToDevice, nullptr, /*async=*/false);
  if (status != cudaSuccess) {
    static_cast<void>(device.free(memory)); // the copy's error is reported
    return status;
  }
  out = addressOf(memory);
  return cudaSuccess;
}

cudaError_t SoftwareArrays::createTexture(const cudaResourceDesc &resource,
                                          const cudaTextureDesc &description,
                                          const cudaResourceViewDesc *view,
                                          cudaTextureObject_t &out) {
  if (view || description.sRGB || description.seamlessCubemap)
    return cudaErrorNotSupported;
  RegrainTexture texture = {};
  setResource(resource, texture);
  texture.readsNormalized =
      texture.kind != REGRAIN_TEXEL_FLOAT && description.readMode == cudaReadModeNormalizedFloat;
  texture.isLinearFilter = description.filterMode == cudaFilterModeLinear;
  texture.isLinearMipFilter = description.mipmapFilterMode == cudaFilterModeLinear;
  texture.hasNormalizedCoordinates = description.normalizedCoords != 0;
  for (unsigned i = 0; i < 3; ++i)
    texture.addressMode[i] = effectiveMode(description, i);
  std::memcpy(texture.borderColor, description.borderColor, sizeof(texture.borderColor));
  texture.levelBias = description.mipmapLevelBias;
  texture.leastLevel = description.minMipmapLevelClamp;
  texture.mostLevel = description.maxMipmapLevelClamp;
  return upload(texture, out);
}

cudaError_t SoftwareArrays::destroyTexture(cudaTextureObject_t texture) {
  return device.free(pointerTo(texture));
}

cudaError_t SoftwareArrays::createSurface(cudaArray_t array, cudaSurfaceObject_t &out) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  RegrainTexture surface = {};
  setResource(resource, surface);
  return upload(surface, out);
}

cudaError_t SoftwareArrays::destroySurface(cudaSurfaceObject_t surface) {
  return device.free(pointerTo(surface));
}

} // namespace regrain
