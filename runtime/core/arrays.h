//===- arrays.h - Arrays, textures and surfaces of a device -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime checks the parameters of all calls before. The handles cross the CUDA
// API unchanged.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"
#include "include/cuda/surface_types.h"
#include "include/cuda/texture_types.h"

namespace regrain {

/// The elements of an array and their number in each dimension. As in cudaMalloc3DArray,
/// a dimension that does not exist is 0, and `depth` is the number of layers or faces if
/// the flags say so.
struct ArrayShape {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
};

/// Returns the number of channels of the format; 0 if arrays cannot have it.
inline unsigned channelCount(const cudaChannelFormatDesc &format) {
  const int bits[] = {format.x, format.y, format.z, format.w};
  unsigned count = 0;
  while (count < 4 && bits[count])
    ++count;
  for (unsigned i = 0; i < 4; ++i)
    if (bits[i] != (i < count ? format.x : 0))
      return 0;
  bool isFloat = format.f == cudaChannelFormatKindFloat;
  bool isInteger =
      format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned;
  bool hasSize = format.x == 16 || format.x == 32 || (format.x == 8 && isInteger);
  return (isFloat || isInteger) && hasSize && count != 3 ? count : 0;
}

/// Returns the size of an element of a format that arrays can have.
inline size_t elementBytes(const cudaChannelFormatDesc &format) {
  return channelCount(format) * size_t(format.x) / 8;
}

/// One end of a copy: an array, or memory if there is none. `position.x` is in bytes.
struct BoxEnd {
  cudaArray_t array = nullptr;
  cudaPitchedPtr memory = {};
  cudaPos position = {};
};

/// A copy of a box to or from an array; `extent.width` is in bytes.
struct BoxCopy {
  BoxEnd to, from;
  cudaExtent extent = {};
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

/// What a device does with arrays.
class Arrays {
public:
  virtual ~Arrays() = default;

  virtual cudaError_t create(const ArrayShape &shape, cudaArray_t &out) = 0;
  virtual cudaError_t destroy(cudaArray_t array) = 0;
  virtual cudaError_t createMipmapped(const ArrayShape &shape, unsigned levels,
                                      cudaMipmappedArray_t &out) = 0;
  virtual cudaError_t destroyMipmapped(cudaMipmappedArray_t mipmap) = 0;
  /// Gives one of the levels, which lives as long as the mipmapped array.
  virtual cudaError_t level(cudaMipmappedArray_t mipmap, unsigned level, cudaArray_t &out) = 0;

  /// Copies within the bounds of the arrays; `async` is as in Device::copy.
  virtual cudaError_t copy(const BoxCopy &box, cudaStream_t stream, bool async) = 0;

  virtual cudaError_t createTexture(const cudaResourceDesc &resource,
                                    const cudaTextureDesc &description,
                                    const cudaResourceViewDesc *view, cudaTextureObject_t &out) = 0;
  virtual cudaError_t destroyTexture(cudaTextureObject_t texture) = 0;
  virtual cudaError_t createSurface(cudaArray_t array, cudaSurfaceObject_t &out) = 0;
  virtual cudaError_t destroySurface(cudaSurfaceObject_t surface) = 0;
};

} // namespace regrain
