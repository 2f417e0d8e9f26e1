//===- regrain_textures.h - Textures are refused ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a program that reads or writes through textures or surfaces, clang reports
// the error "... is unavailable: textures are not supported" at the program's line.
// Where a texture reference is declared, that declaration is the error; reads of it
// add none.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TEXTURES_H
#define REGRAIN_TEXTURES_H
#pragma GCC system_header

#include "surface_types.h"
#include "texture_types.h"

#define REGRAIN_NO_TEXTURES __attribute__((unavailable("textures are not supported")))
#define REGRAIN_NO_SURFACES __attribute__((unavailable("surfaces are not supported")))

template <class T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct REGRAIN_NO_TEXTURES texture : textureReference {};

template <class T, int Type = cudaSurfaceType1D>
struct REGRAIN_NO_SURFACES surface {};

#define REGRAIN_TEXTURE_READ(NAME)                                             \
  template <class T, class... Coordinates>                                     \
  REGRAIN_NO_TEXTURES __device__ T NAME(cudaTextureObject_t, Coordinates...);

REGRAIN_TEXTURE_READ(tex1Dfetch)
REGRAIN_TEXTURE_READ(tex1D)
REGRAIN_TEXTURE_READ(tex2D)
REGRAIN_TEXTURE_READ(tex3D)
REGRAIN_TEXTURE_READ(tex1DLod)
REGRAIN_TEXTURE_READ(tex2DLod)
REGRAIN_TEXTURE_READ(tex3DLod)
REGRAIN_TEXTURE_READ(tex1DLayered)
REGRAIN_TEXTURE_READ(tex2DLayered)
REGRAIN_TEXTURE_READ(texCubemap)

#undef REGRAIN_TEXTURE_READ

#define REGRAIN_SURFACE_ACCESS(DIMENSION)                                      \
  template <class T, class... Coordinates>                                     \
  REGRAIN_NO_SURFACES __device__ T surf##DIMENSION##read(cudaSurfaceObject_t,  \
                                                         Coordinates...);      \
  template <class T, class... Coordinates>                                     \
  REGRAIN_NO_SURFACES __device__ void surf##DIMENSION##write(                  \
      T, cudaSurfaceObject_t, Coordinates...);

REGRAIN_SURFACE_ACCESS(1D)
REGRAIN_SURFACE_ACCESS(2D)
REGRAIN_SURFACE_ACCESS(3D)

#undef REGRAIN_SURFACE_ACCESS
#undef REGRAIN_NO_TEXTURES
#undef REGRAIN_NO_SURFACES

#endif
