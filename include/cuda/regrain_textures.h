//===- regrain_textures.h - Reads through textures --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is one PTX instruction, which targets without textures translate to
// calls of their device library. A reference of CUDA 11 is the object that it holds.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_TEXTURES_H
#define REGRAIN_TEXTURES_H
#pragma GCC system_header

#include "channel_descriptor.h"
#include "surface_types.h"
#include "texture_types.h"

template <class T, int Type = cudaTextureType1D,
          enum cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalizes = 0,
                   enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(normalizes, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int normalizes, enum cudaTextureFilterMode filter,
                   enum cudaTextureAddressMode address, cudaChannelFormatDesc format)
      : textureReference() {
    normalized = normalizes;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = format;
  }
};

/* The four words that an instruction returns. */
struct regrainFloats {
  float x, y, z, w;
};
struct regrainIntegers {
  int x, y, z, w;
};
struct regrainNaturals {
  unsigned int x, y, z, w;
};

/* A T from the words that a read returns, and the type of a read as normalized floats. */
template <class T> struct regrainTexel;

#define REGRAIN_TEXEL_1(TYPE, FLOATS, WORDS)                                   \
  template <> struct regrainTexel<TYPE> {                                      \
    typedef WORDS words;                                                       \
    typedef FLOATS normalized;                                                 \
    static __inline__ __device__ TYPE of(WORDS v) { return (TYPE)v.x; }        \
  };
#define REGRAIN_TEXEL_N(TYPE, FLOATS, WORDS, ...)                              \
  template <> struct regrainTexel<TYPE> {                                      \
    typedef WORDS words;                                                       \
    typedef FLOATS normalized;                                                 \
    typedef __typeof__(TYPE::x) element;                                       \
    static __inline__ __device__ TYPE of(WORDS v) { return TYPE{__VA_ARGS__}; } \
  };
#define REGRAIN_TEXELS(TYPE, VECTOR, WORDS)                                    \
  REGRAIN_TEXEL_1(TYPE, float, WORDS)                                          \
  REGRAIN_TEXEL_N(VECTOR##1, float1, WORDS, (element)v.x)                      \
  REGRAIN_TEXEL_N(VECTOR##2, float2, WORDS, (element)v.x, (element)v.y)        \
  REGRAIN_TEXEL_N(VECTOR##4, float4, WORDS, (element)v.x, (element)v.y,        \
                  (element)v.z, (element)v.w)

REGRAIN_TEXEL_1(char, float, regrainIntegers)
REGRAIN_TEXELS(signed char, char, regrainIntegers)
REGRAIN_TEXELS(unsigned char, uchar, regrainNaturals)
REGRAIN_TEXELS(short, short, regrainIntegers)
REGRAIN_TEXELS(unsigned short, ushort, regrainNaturals)
REGRAIN_TEXELS(int, int, regrainIntegers)
REGRAIN_TEXELS(unsigned int, uint, regrainNaturals)
REGRAIN_TEXELS(float, float, regrainFloats)

#undef REGRAIN_TEXELS
#undef REGRAIN_TEXEL_N
#undef REGRAIN_TEXEL_1

template <class T, enum cudaTextureReadMode Mode> struct regrainTextureResult {
  typedef T type;
};
template <class T> struct regrainTextureResult<T, cudaReadModeNormalizedFloat> {
  typedef typename regrainTexel<T>::normalized type;
};

#define REGRAIN_LIST(...) __VA_ARGS__

/* The host side only parses what reads textures. */
#if defined(__CUDA_ARCH__)
#define REGRAIN_BODY(...) { __VA_ARGS__ }
#define REGRAIN_READ(NAME, OPCODE, TYPE, WORDS, LETTER, PLACE, PARAMETERS, INPUTS) \
  static __inline__ __attribute__((always_inline)) __device__ void NAME(       \
      WORDS &v, cudaTextureObject_t object, REGRAIN_LIST PARAMETERS) {         \
    asm(OPCODE TYPE " {%0, %1, %2, %3}, [%4, " PLACE ";"                       \
        : "=" LETTER(v.x), "=" LETTER(v.y), "=" LETTER(v.z), "=" LETTER(v.w)   \
        : "l"(object), REGRAIN_LIST INPUTS);                                   \
  }
#define REGRAIN_READS(NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, INPUTS)       \
  REGRAIN_READ(NAME, OPCODE, ".v4.f32." COORDINATE, regrainFloats, "f", PLACE, PARAMETERS, INPUTS) \
  REGRAIN_READ(NAME, OPCODE, ".v4.s32." COORDINATE, regrainIntegers, "r", PLACE, PARAMETERS, INPUTS) \
  REGRAIN_READ(NAME, OPCODE, ".v4.u32." COORDINATE, regrainNaturals, "r", PLACE, PARAMETERS, INPUTS)

/* On the device, clang passes the object that a reference holds in place of the reference. */
template <class Reference>
static __inline__ __attribute__((always_inline)) __device__ unsigned long long
regrainObject(Reference reference) {
  return *(const unsigned long long *)&reference;
}
#else
#define REGRAIN_BODY(...) ;
#define REGRAIN_READS(NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, INPUTS)
#endif

/* The forms of one function: the result returned, stored, and read through a reference. */
#define REGRAIN_FORMS(NAME, TYPE, PARAMETERS, ARGUMENTS)                       \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ T NAME(                 \
      cudaTextureObject_t object, REGRAIN_LIST PARAMETERS)                     \
      REGRAIN_BODY(typename regrainTexel<T>::words v;                          \
                   regrain_##NAME(v, object, REGRAIN_LIST ARGUMENTS);          \
                   return regrainTexel<T>::of(v);)                             \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ void NAME(              \
      T *result, cudaTextureObject_t object, REGRAIN_LIST PARAMETERS)          \
      REGRAIN_BODY(*result = NAME<T>(object, REGRAIN_LIST ARGUMENTS);)         \
  template <class T, enum cudaTextureReadMode Mode>                            \
  __inline__ __attribute__((always_inline)) __device__                         \
      typename regrainTextureResult<T, Mode>::type NAME(                       \
          texture<T, TYPE, Mode> reference, REGRAIN_LIST PARAMETERS)           \
      REGRAIN_BODY(return NAME<typename regrainTextureResult<T, Mode>::type>(  \
                              regrainObject(reference), REGRAIN_LIST ARGUMENTS);)

#define REGRAIN_TEXTURE(NAME, TYPE, OPCODE, COORDINATE, PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_READS(regrain_##NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, INPUTS)   \
  REGRAIN_FORMS(NAME, TYPE, PARAMETERS, ARGUMENTS)

REGRAIN_TEXTURE(tex1Dfetch, cudaTextureType1D, "tex.1d", "s32", "{%5}]", (int x), (x),
                ("r"(x)))

/* `PLACE` of a read with a level or gradients continues that of a plain one. */
#define REGRAIN_FILTERED(NAME, TYPE, GEOMETRY, PLACE, PARAMETERS, ARGUMENTS, INPUTS, AFTER) \
  REGRAIN_TEXTURE(NAME, TYPE, "tex." GEOMETRY, "f32", PLACE "]", PARAMETERS,     \
                  ARGUMENTS, INPUTS)                                           \
  REGRAIN_TEXTURE(NAME##Lod, TYPE, "tex.level." GEOMETRY, "f32",                 \
                  PLACE "], %" AFTER, (REGRAIN_LIST PARAMETERS, float level),  \
                  (REGRAIN_LIST ARGUMENTS, level), (REGRAIN_LIST INPUTS, "f"(level)))

#define REGRAIN_GRADIENT(NAME, TYPE, GEOMETRY, PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_TEXTURE(NAME##Grad, TYPE, "tex.grad." GEOMETRY, "f32", PLACE, PARAMETERS, \
                  ARGUMENTS, INPUTS)

REGRAIN_FILTERED(tex1D, cudaTextureType1D, "1d", "{%5}", (float x), (x), ("f"(x)), "6")
REGRAIN_GRADIENT(tex1D, cudaTextureType1D, "1d", "{%5}], {%6}, {%7}",
                 (float x, float dx, float dy), (x, dx, dy), ("f"(x), "f"(dx), "f"(dy)))

REGRAIN_FILTERED(tex2D, cudaTextureType2D, "2d", "{%5, %6}", (float x, float y), (x, y),
                 ("f"(x), "f"(y)), "7")
REGRAIN_GRADIENT(tex2D, cudaTextureType2D, "2d", "{%5, %6}], {%7, %8}, {%9, %10}",
                 (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
                 ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))

REGRAIN_FILTERED(tex3D, cudaTextureType3D, "3d", "{%5, %6, %7, %7}",
                 (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)), "8")
REGRAIN_GRADIENT(tex3D, cudaTextureType3D, "3d",
                 "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                 (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                 ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
                  "f"(dy.y), "f"(dy.z)))

REGRAIN_FILTERED(tex1DLayered, cudaTextureType1DLayered, "a1d", "{%6, %5}",
                 (float x, int layer), (x, layer), ("f"(x), "r"(layer)), "7")
REGRAIN_GRADIENT(tex1DLayered, cudaTextureType1DLayered, "a1d", "{%6, %5}], {%7}, {%8}",
                 (float x, int layer, float dx, float dy), (x, layer, dx, dy),
                 ("f"(x), "r"(layer), "f"(dx), "f"(dy)))

REGRAIN_FILTERED(tex2DLayered, cudaTextureType2DLayered, "a2d", "{%7, %5, %6, %6}",
                 (float x, float y, int layer), (x, y, layer),
                 ("f"(x), "f"(y), "r"(layer)), "8")
REGRAIN_GRADIENT(tex2DLayered, cudaTextureType2DLayered, "a2d",
                 "{%7, %5, %6, %6}], {%8, %9}, {%10, %11}",
                 (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
                 ("f"(x), "f"(y), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))

REGRAIN_FILTERED(texCubemap, cudaTextureTypeCubemap, "cube", "{%5, %6, %7, %7}",
                 (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)), "8")
REGRAIN_GRADIENT(texCubemap, cudaTextureTypeCubemap, "cube",
                 "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                 (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                 ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x),
                  "f"(dy.y), "f"(dy.z)))

REGRAIN_FILTERED(texCubemapLayered, cudaTextureTypeCubemapLayered, "acube",
                 "{%8, %5, %6, %7}", (float x, float y, float z, int layer),
                 (x, y, z, layer), ("f"(x), "f"(y), "f"(z), "r"(layer)), "9")
REGRAIN_GRADIENT(texCubemapLayered, cudaTextureTypeCubemapLayered, "acube",
                 "{%8, %5, %6, %7}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
                 (float x, float y, float z, int layer, float4 dx, float4 dy),
                 (x, y, z, layer, dx, dy),
                 ("f"(x), "f"(y), "f"(z), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dx.z),
                  "f"(dy.x), "f"(dy.y), "f"(dy.z)))

/* One channel of the four texels that a linear filter reads. */
REGRAIN_READS(regrainGatherX, "tld4.r.2d", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
REGRAIN_READS(regrainGatherY, "tld4.g.2d", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
REGRAIN_READS(regrainGatherZ, "tld4.b.2d", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))
REGRAIN_READS(regrainGatherW, "tld4.a.2d", "f32", "{%5, %6}]", (float x, float y), ("f"(x), "f"(y)))

#if defined(__CUDA_ARCH__)
template <class Words>
static __inline__ __attribute__((always_inline)) __device__ void
regrain_tex2Dgather(Words &v, cudaTextureObject_t object, float x, float y, int channel) {
  switch (channel) {
  case 0:
    return regrainGatherX(v, object, x, y);
  case 1:
    return regrainGatherY(v, object, x, y);
  case 2:
    return regrainGatherZ(v, object, x, y);
  default:
    return regrainGatherW(v, object, x, y);
  }
}
#endif
template <class T>
__inline__ __attribute__((always_inline)) __device__ T
tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
    REGRAIN_BODY(typename regrainTexel<T>::words v;
                 regrain_tex2Dgather(v, object, x, y, channel);
                 return regrainTexel<T>::of(v);)
template <class T>
__inline__ __attribute__((always_inline)) __device__ void
tex2Dgather(T *result, cudaTextureObject_t object, float x, float y, int channel = 0)
    REGRAIN_BODY(*result = tex2Dgather<T>(object, x, y, channel);)

#undef REGRAIN_GRADIENT
#undef REGRAIN_FILTERED
#undef REGRAIN_TEXTURE
#undef REGRAIN_FORMS
#undef REGRAIN_READS
#undef REGRAIN_READ

#include "regrain_surfaces.h"
#include "regrain_texture_references.h"

#undef REGRAIN_BODY
#undef REGRAIN_LIST

#endif
