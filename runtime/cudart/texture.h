//===- texture.h - Texture objects with their checks ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/array_table.h"

namespace regrain {

/// Creates a texture object, with the errors of cudaCreateTextureObject.
[[nodiscard]] cudaError_t createTexture(OpenDevice &current, const cudaResourceDesc &resource,
                                        const cudaTextureDesc &description,
                                        const cudaResourceViewDesc *view, cudaTextureObject_t &out);
[[nodiscard]] cudaError_t destroyTexture(cudaTextureObject_t texture);

/// Creates a surface object, with the errors of cudaCreateSurfaceObject.
[[nodiscard]] cudaError_t createSurface(cudaArray_t array, cudaSurfaceObject_t &out);
[[nodiscard]] cudaError_t destroySurface(cudaSurfaceObject_t surface);

} // namespace regrain
