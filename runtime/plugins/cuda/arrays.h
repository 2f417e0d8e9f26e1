//===- arrays.h - An NVIDIA GPU: arrays and textures ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles are the driver's, as in NVIDIA's runtime.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/arrays.h"
#include "runtime/plugins/cuda/driver.h"

namespace regrain::cuda {

class CudaArrays final : public Arrays {
public:
  explicit CudaArrays(const Driver &driver) : driver(driver) {}

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
  const Driver &driver;
};

} // namespace regrain::cuda
