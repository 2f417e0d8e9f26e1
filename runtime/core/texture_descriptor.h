/*===- texture_descriptor.h - Textures that code samples ----------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* On devices without texture instructions (the CPU, and AMD's GPUs as Regrain
|* uses them), a texture or surface object is the address of a RegrainTexture in
|* memory of the device. The runtime writes it (software_arrays.cpp), and the
|* device library reads it (compiler/Target/Library/Textures.inc).
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_CORE_TEXTURE_DESCRIPTOR_H
#define REGRAIN_CORE_TEXTURE_DESCRIPTOR_H

#include <stdint.h>

#define REGRAIN_TEXTURE_LEVELS 18

/* What a fetch or an access addresses. The compiler passes the value to the device library. */
enum RegrainTextureGeometry {
  REGRAIN_TEXTURE_1D = 0,
  REGRAIN_TEXTURE_2D = 1,
  REGRAIN_TEXTURE_3D = 2,
  REGRAIN_TEXTURE_1D_LAYERED = 3,
  REGRAIN_TEXTURE_2D_LAYERED = 4,
  REGRAIN_TEXTURE_CUBE = 5,
  REGRAIN_TEXTURE_CUBE_LAYERED = 6
};

/* What an access to a surface does outside of it. */
enum RegrainSurfaceBoundary {
  REGRAIN_SURFACE_TRAP = 0,
  REGRAIN_SURFACE_CLAMP = 1,
  REGRAIN_SURFACE_ZERO = 2
};

/* The values of cudaChannelFormatKind. */
enum RegrainTexelKind {
  REGRAIN_TEXEL_SIGNED = 0,
  REGRAIN_TEXEL_UNSIGNED = 1,
  REGRAIN_TEXEL_FLOAT = 2
};

/* The values of cudaTextureAddressMode. */
enum RegrainAddressMode {
  REGRAIN_ADDRESS_WRAP = 0,
  REGRAIN_ADDRESS_CLAMP = 1,
  REGRAIN_ADDRESS_MIRROR = 2,
  REGRAIN_ADDRESS_BORDER = 3
};

/* One level of detail: `slices` images of `height` rows of `width` elements. A slice is a plane of
   three dimensions, a layer, or a face of a cube (six for each layer). */
typedef struct RegrainTextureLevel {
  uint64_t address;
  uint64_t pitch; /* bytes from row to row */
  uint64_t slice; /* bytes from slice to slice */
  uint32_t width, height, slices;
  uint32_t reserved;
} RegrainTextureLevel;

typedef struct RegrainTexture {
  uint32_t kind;     /* RegrainTexelKind */
  uint32_t bits;     /* of each channel: 8, 16 or 32 */
  uint32_t channels; /* 1, 2 or 4 */
  uint32_t readsNormalized;
  uint32_t isLinearFilter, isLinearMipFilter;
  uint32_t hasNormalizedCoordinates;
  uint32_t addressMode[3];
  float borderColor[4];
  float levelBias, leastLevel, mostLevel;
  uint32_t levelCount;
  uint64_t elements; /* of linear memory; 0 for an image */
  RegrainTextureLevel levels[REGRAIN_TEXTURE_LEVELS];
} RegrainTexture;

#endif
