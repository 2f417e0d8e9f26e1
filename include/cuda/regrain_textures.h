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
    asm(OPCODE TYPE " {%0, %1, %2, %3}, [%[object], " PLACE ";"                \
        : "=" LETTER(v.x), "=" LETTER(v.y), "=" LETTER(v.z), "=" LETTER(v.w)   \
        : [object] "l"(object), REGRAIN_LIST INPUTS);                          \
  }
/* A read that also tells whether all of its texels are in memory. */
#define REGRAIN_READ_RESIDENT(NAME, OPCODE, TYPE, WORDS, LETTER, PLACE, PARAMETERS, INPUTS) \
  static __inline__ __attribute__((always_inline)) __device__ void NAME(       \
      WORDS &v, cudaTextureObject_t object, REGRAIN_LIST PARAMETERS, bool *isResident) { \
    unsigned int found;                                                        \
    asm("{ .reg .pred p; " OPCODE TYPE " {%0, %1, %2, %3}|p, [%[object], " PLACE \
        "; selp.u32 %4, 1, 0, p; }"                                            \
        : "=" LETTER(v.x), "=" LETTER(v.y), "=" LETTER(v.z), "=" LETTER(v.w), "=r"(found) \
        : [object] "l"(object), REGRAIN_LIST INPUTS);                          \
    *isResident = found;                                                       \
  }
#define REGRAIN_READS(READ, NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, INPUTS) \
  READ(NAME, OPCODE, ".v4.f32." COORDINATE, regrainFloats, "f", PLACE, PARAMETERS, INPUTS) \
  READ(NAME, OPCODE, ".v4.s32." COORDINATE, regrainIntegers, "r", PLACE, PARAMETERS, INPUTS) \
  READ(NAME, OPCODE, ".v4.u32." COORDINATE, regrainNaturals, "r", PLACE, PARAMETERS, INPUTS)

/* On the device, clang passes the object that a reference holds in place of the reference. */
template <class Reference>
static __inline__ __attribute__((always_inline)) __device__ unsigned long long
regrainObject(Reference reference) {
  return *(const unsigned long long *)&reference;
}
#else
#define REGRAIN_BODY(...) ;
#define REGRAIN_READS(READ, NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, INPUTS)
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
  REGRAIN_READS(REGRAIN_READ, regrain_##NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, INPUTS) \
  REGRAIN_FORMS(NAME, TYPE, PARAMETERS, ARGUMENTS)

/* What a function has besides: nothing, or its forms for sparse arrays, which tell whether what
   they read is in memory. These need compute capability 6.0. */
#define REGRAIN_DENSE(NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, ARGUMENTS, INPUTS)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#define REGRAIN_SPARSE REGRAIN_DENSE
#else
#define REGRAIN_SPARSE(NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_READS(REGRAIN_READ_RESIDENT, regrain_##NAME, OPCODE, COORDINATE, PLACE, PARAMETERS, \
                INPUTS)                                                        \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ T NAME(                 \
      cudaTextureObject_t object, REGRAIN_LIST PARAMETERS, bool *isResident)   \
      REGRAIN_BODY(typename regrainTexel<T>::words v;                          \
                   regrain_##NAME(v, object, REGRAIN_LIST ARGUMENTS, isResident); \
                   return regrainTexel<T>::of(v);)                             \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ void NAME(              \
      T *result, cudaTextureObject_t object, REGRAIN_LIST PARAMETERS, bool *isResident) \
      REGRAIN_BODY(*result = NAME<T>(object, REGRAIN_LIST ARGUMENTS, isResident);)
#endif

REGRAIN_TEXTURE(tex1Dfetch, cudaTextureType1D, "tex.1d", "s32", "{%[x]}]", (int x), (x),
                ([x] "r"(x)))

/* `PLACE` of a read with a level or gradients continues that of a plain one. */
#define REGRAIN_BOTH(RESIDENCY, NAME, TYPE, OPCODE, PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_TEXTURE(NAME, TYPE, OPCODE, "f32", PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  RESIDENCY(NAME, OPCODE, "f32", PLACE, PARAMETERS, ARGUMENTS, INPUTS)

#define REGRAIN_FILTERED(RESIDENCY, NAME, TYPE, GEOMETRY, PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_BOTH(RESIDENCY, NAME, TYPE, "tex." GEOMETRY, PLACE "]", PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_BOTH(RESIDENCY, NAME##Lod, TYPE, "tex.level." GEOMETRY, PLACE "], %[level]", \
               (REGRAIN_LIST PARAMETERS, float level), (REGRAIN_LIST ARGUMENTS, level), \
               (REGRAIN_LIST INPUTS, [level] "f"(level)))

#define REGRAIN_GRADIENT(RESIDENCY, NAME, TYPE, GEOMETRY, PLACE, PARAMETERS, ARGUMENTS, INPUTS) \
  REGRAIN_BOTH(RESIDENCY, NAME##Grad, TYPE, "tex.grad." GEOMETRY, PLACE, PARAMETERS, ARGUMENTS, \
               INPUTS)

REGRAIN_FILTERED(REGRAIN_DENSE, tex1D, cudaTextureType1D, "1d", "{%[x]}", (float x), (x), ([x] "f"(x)))
REGRAIN_GRADIENT(REGRAIN_DENSE, tex1D, cudaTextureType1D, "1d", "{%[x]}], {%[dx]}, {%[dy]}",
                 (float x, float dx, float dy), (x, dx, dy),
                 ([x] "f"(x), [dx] "f"(dx), [dy] "f"(dy)))

REGRAIN_FILTERED(REGRAIN_SPARSE, tex2D, cudaTextureType2D, "2d", "{%[x], %[y]}", (float x, float y), (x, y),
                 ([x] "f"(x), [y] "f"(y)))
REGRAIN_GRADIENT(REGRAIN_SPARSE, tex2D, cudaTextureType2D, "2d",
                 "{%[x], %[y]}], {%[dx_x], %[dx_y]}, {%[dy_x], %[dy_y]}",
                 (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
                 ([x] "f"(x), [y] "f"(y), [dx_x] "f"(dx.x), [dx_y] "f"(dx.y),
                  [dy_x] "f"(dy.x), [dy_y] "f"(dy.y)))

REGRAIN_FILTERED(REGRAIN_SPARSE, tex3D, cudaTextureType3D, "3d", "{%[x], %[y], %[z], %[z]}",
                 (float x, float y, float z), (x, y, z), ([x] "f"(x), [y] "f"(y), [z] "f"(z)))
REGRAIN_GRADIENT(REGRAIN_SPARSE, tex3D, cudaTextureType3D, "3d",
                 "{%[x], %[y], %[z], %[z]}], "
                 "{%[dx_x], %[dx_y], %[dx_z], %[dx_z]}, {%[dy_x], %[dy_y], %[dy_z], %[dy_z]}",
                 (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z),
                  [dx_x] "f"(dx.x), [dx_y] "f"(dx.y), [dx_z] "f"(dx.z),
                  [dy_x] "f"(dy.x), [dy_y] "f"(dy.y), [dy_z] "f"(dy.z)))

REGRAIN_FILTERED(REGRAIN_DENSE, tex1DLayered, cudaTextureType1DLayered, "a1d", "{%[layer], %[x]}",
                 (float x, int layer), (x, layer), ([x] "f"(x), [layer] "r"(layer)))
REGRAIN_GRADIENT(REGRAIN_DENSE, tex1DLayered, cudaTextureType1DLayered, "a1d", "{%[layer], %[x]}], {%[dx]}, {%[dy]}",
                 (float x, int layer, float dx, float dy), (x, layer, dx, dy),
                 ([x] "f"(x), [layer] "r"(layer), [dx] "f"(dx), [dy] "f"(dy)))

REGRAIN_FILTERED(REGRAIN_SPARSE, tex2DLayered, cudaTextureType2DLayered, "a2d", "{%[layer], %[x], %[y], %[y]}",
                 (float x, float y, int layer), (x, y, layer),
                 ([x] "f"(x), [y] "f"(y), [layer] "r"(layer)))
REGRAIN_GRADIENT(REGRAIN_SPARSE, tex2DLayered, cudaTextureType2DLayered, "a2d",
                 "{%[layer], %[x], %[y], %[y]}], {%[dx_x], %[dx_y]}, {%[dy_x], %[dy_y]}",
                 (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
                 ([x] "f"(x), [y] "f"(y), [layer] "r"(layer), [dx_x] "f"(dx.x),
                  [dx_y] "f"(dx.y), [dy_x] "f"(dy.x), [dy_y] "f"(dy.y)))

REGRAIN_FILTERED(REGRAIN_DENSE, texCubemap, cudaTextureTypeCubemap, "cube", "{%[x], %[y], %[z], %[z]}",
                 (float x, float y, float z), (x, y, z), ([x] "f"(x), [y] "f"(y), [z] "f"(z)))
REGRAIN_GRADIENT(REGRAIN_DENSE, texCubemap, cudaTextureTypeCubemap, "cube",
                 "{%[x], %[y], %[z], %[z]}], "
                 "{%[dx_x], %[dx_y], %[dx_z], %[dx_z]}, {%[dy_x], %[dy_y], %[dy_z], %[dy_z]}",
                 (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z),
                  [dx_x] "f"(dx.x), [dx_y] "f"(dx.y), [dx_z] "f"(dx.z),
                  [dy_x] "f"(dy.x), [dy_y] "f"(dy.y), [dy_z] "f"(dy.z)))

REGRAIN_FILTERED(REGRAIN_DENSE, texCubemapLayered, cudaTextureTypeCubemapLayered, "acube",
                 "{%[layer], %[x], %[y], %[z]}", (float x, float y, float z, int layer),
                 (x, y, z, layer), ([x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer)))
REGRAIN_GRADIENT(REGRAIN_DENSE, texCubemapLayered, cudaTextureTypeCubemapLayered, "acube",
                 "{%[layer], %[x], %[y], %[z]}], "
                 "{%[dx_x], %[dx_y], %[dx_z], %[dx_z]}, {%[dy_x], %[dy_y], %[dy_z], %[dy_z]}",
                 (float x, float y, float z, int layer, float4 dx, float4 dy),
                 (x, y, z, layer, dx, dy),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer),
                  [dx_x] "f"(dx.x), [dx_y] "f"(dx.y), [dx_z] "f"(dx.z),
                  [dy_x] "f"(dy.x), [dy_y] "f"(dy.y), [dy_z] "f"(dy.z)))

/* One channel of the four texels that a linear filter reads. */
#define REGRAIN_GATHER(NAME, OPCODE)                                             \
  REGRAIN_READS(REGRAIN_READ, NAME, OPCODE, "f32", "{%[x], %[y]}]", (float x, float y), \
                ([x] "f"(x), [y] "f"(y)))                                      \
  REGRAIN_GATHER_RESIDENT(NAME, OPCODE)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#define REGRAIN_GATHER_RESIDENT(NAME, OPCODE)
#else
#define REGRAIN_GATHER_RESIDENT(NAME, OPCODE)                                    \
  REGRAIN_READS(REGRAIN_READ_RESIDENT, NAME, OPCODE, "f32", "{%[x], %[y]}]",   \
                (float x, float y), ([x] "f"(x), [y] "f"(y)))
#endif
REGRAIN_GATHER(regrainGatherX, "tld4.r.2d")
REGRAIN_GATHER(regrainGatherY, "tld4.g.2d")
REGRAIN_GATHER(regrainGatherZ, "tld4.b.2d")
REGRAIN_GATHER(regrainGatherW, "tld4.a.2d")
#undef REGRAIN_GATHER_RESIDENT
#undef REGRAIN_GATHER

#if defined(__CUDA_ARCH__)
template <class Words, class... Resident>
static __inline__ __attribute__((always_inline)) __device__ void
regrain_tex2Dgather(Words &v, cudaTextureObject_t object, float x, float y, int channel,
                    Resident... isResident) {
  switch (channel) {
  case 0:
    return regrainGatherX(v, object, x, y, isResident...);
  case 1:
    return regrainGatherY(v, object, x, y, isResident...);
  case 2:
    return regrainGatherZ(v, object, x, y, isResident...);
  default:
    return regrainGatherW(v, object, x, y, isResident...);
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
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
template <class T>
__inline__ __attribute__((always_inline)) __device__ T
tex2Dgather(cudaTextureObject_t object, float x, float y, bool *isResident, int channel = 0)
    REGRAIN_BODY(typename regrainTexel<T>::words v;
                 regrain_tex2Dgather(v, object, x, y, channel, isResident);
                 return regrainTexel<T>::of(v);)
template <class T>
__inline__ __attribute__((always_inline)) __device__ void
tex2Dgather(T *result, cudaTextureObject_t object, float x, float y, bool *isResident,
            int channel = 0)
    REGRAIN_BODY(*result = tex2Dgather<T>(object, x, y, isResident, channel);)
#endif

#undef REGRAIN_GRADIENT
#undef REGRAIN_FILTERED
#undef REGRAIN_BOTH
#undef REGRAIN_SPARSE
#undef REGRAIN_DENSE
#undef REGRAIN_TEXTURE
#undef REGRAIN_FORMS
#undef REGRAIN_READS
#undef REGRAIN_READ_RESIDENT
#undef REGRAIN_READ

#include "regrain_surfaces.h"
#include "regrain_texture_references.h"

#undef REGRAIN_BODY
#undef REGRAIN_LIST

#endif
