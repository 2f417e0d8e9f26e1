//===- software_arrays.h - Arrays in the memory of a device -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This serves devices whose code samples textures itself. An array is device memory in
// rows, and a texture or surface object is the address of a descriptor in device memory
// (texture_descriptor.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/arrays.h"
#include "runtime/core/device.h"
#include "runtime/core/texture_descriptor.h"

namespace regrain {

class SoftwareArrays final : public Arrays {
public:
  explicit SoftwareArrays(Device &device) : device(device) {}

  cudaError_t create(const ArrayShape &shape, cudaArray_t &out) override;
  cudaError_t destroy(cudaArray_t array) override;
  cudaError_t createMipmapped(const ArrayShape &shape, unsigned levels,
                              cudaMipmappedArray_t &out) override;
  cudaError_t destroyMipmapped(cudaMipmappedArray_t mipmap) override;
  cudaError_t level(cudaMipmappedArray_t mipmap, unsigned level, cudaArray_t &out) override;
  cudaError_t copy(const BoxCopy &box, cudaStream_t stream, bool async) override;
  cudaError_t createTexture(const cudaResourceDesc &resource, const cudaTextureDesc &description,
                            const cudaResourceViewDesc *view, cudaTextureObject_t &out) override;
  cudaError_t destroyTexture(cudaTextureObject_t texture) override;
  cudaError_t createSurface(cudaArray_t array, cudaSurfaceObject_t &out) override;
  cudaError_t destroySurface(cudaSurfaceObject_t surface) override;

private:
  cudaError_t upload(const RegrainTexture &descriptor, unsigned long long &out);

  Device &device;
};

} // namespace regrain
