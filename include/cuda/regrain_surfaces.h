//===- regrain_surfaces.h - Accesses through surfaces -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// regrain_textures.h includes this header. The coordinate x is in bytes. An access
// moves the bytes of its type; it may be of 1, 2, 4, 8 or 16 bytes.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_SURFACES_H
#define REGRAIN_SURFACES_H
#pragma GCC system_header

#include "surface_types.h"

template <class T, int Type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface() : surfaceReference() {}
};

#if defined(__CUDA_ARCH__)
template <unsigned long Size> struct regrainSurfaceBytes;
template <> struct regrainSurfaceBytes<1> {
  unsigned char a;
};
template <> struct regrainSurfaceBytes<2> {
  unsigned short a;
};
template <> struct regrainSurfaceBytes<4> {
  unsigned int a;
};
template <> struct regrainSurfaceBytes<8> {
  unsigned int a, b;
};
template <> struct regrainSurfaceBytes<16> {
  unsigned int a, b, c, d;
};

/* Clamps, reads zeros and drops writes, or ends the kernel where an access is outside. */
#define REGRAIN_BOUNDED(ACCESS, GEOMETRY, PLACE)                               \
  switch (mode) {                                                              \
  case cudaBoundaryModeClamp:                                                  \
    ACCESS(GEOMETRY, PLACE, ".clamp");                                         \
    break;                                                                     \
  case cudaBoundaryModeZero:                                                   \
    ACCESS(GEOMETRY, PLACE, ".zero");                                          \
    break;                                                                     \
  default:                                                                     \
    ACCESS(GEOMETRY, PLACE, ".trap");                                          \
    break;                                                                     \
  }

/* The operands of a place, of which each geometry uses some. */
#define REGRAIN_INPUTS "l"(object), "r"(x), "r"(y), "r"(z)
#define REGRAIN_PLACE_1D(X, Y, Z) "{%" X "}"
#define REGRAIN_PLACE_2D(X, Y, Z) "{%" X ", %" Y "}"
#define REGRAIN_PLACE_3D(X, Y, Z) "{%" X ", %" Y ", %" Z ", %" Z "}"
#define REGRAIN_PLACE_1D_LAYERED(X, Y, Z) "{%" Z ", %" X "}"
#define REGRAIN_PLACE_2D_LAYERED(X, Y, Z) "{%" Z ", %" X ", %" Y ", %" Y "}"

#define REGRAIN_LOAD_1(GEOMETRY, PLACE, MODE)                                  \
  asm volatile("suld.b." GEOMETRY ".b8" MODE " {%0}, [%1, " PLACE("2", "3", "4") "];" \
               : "=h"(byte) : REGRAIN_INPUTS : "memory")
#define REGRAIN_LOAD_2(GEOMETRY, PLACE, MODE)                                  \
  asm volatile("suld.b." GEOMETRY ".b16" MODE " {%0}, [%1, " PLACE("2", "3", "4") "];" \
               : "=h"(v.a) : REGRAIN_INPUTS : "memory")
#define REGRAIN_LOAD_4(GEOMETRY, PLACE, MODE)                                  \
  asm volatile("suld.b." GEOMETRY ".b32" MODE " {%0}, [%1, " PLACE("2", "3", "4") "];" \
               : "=r"(v.a) : REGRAIN_INPUTS : "memory")
#define REGRAIN_LOAD_8(GEOMETRY, PLACE, MODE)                                  \
  asm volatile("suld.b." GEOMETRY ".v2.b32" MODE " {%0, %1}, [%2, " PLACE("3", "4", "5") "];" \
               : "=r"(v.a), "=r"(v.b) : REGRAIN_INPUTS : "memory")
#define REGRAIN_LOAD_16(GEOMETRY, PLACE, MODE)                                 \
  asm volatile("suld.b." GEOMETRY ".v4.b32" MODE                               \
               " {%0, %1, %2, %3}, [%4, " PLACE("5", "6", "7") "];"             \
               : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d) : REGRAIN_INPUTS : "memory")

#define REGRAIN_STORE(GEOMETRY, TYPE, PLACE, MODE, REGISTERS, ...)             \
  asm volatile("sust.b." GEOMETRY TYPE MODE " [%0, " PLACE("1", "2", "3") "], {" REGISTERS "};" \
               : : REGRAIN_INPUTS, __VA_ARGS__ : "memory")
#define REGRAIN_STORE_1(GEOMETRY, PLACE, MODE)                                 \
  REGRAIN_STORE(GEOMETRY, ".b8", PLACE, MODE, "%4", "h"((unsigned short)v.a))
#define REGRAIN_STORE_2(GEOMETRY, PLACE, MODE)                                 \
  REGRAIN_STORE(GEOMETRY, ".b16", PLACE, MODE, "%4", "h"(v.a))
#define REGRAIN_STORE_4(GEOMETRY, PLACE, MODE)                                 \
  REGRAIN_STORE(GEOMETRY, ".b32", PLACE, MODE, "%4", "r"(v.a))
#define REGRAIN_STORE_8(GEOMETRY, PLACE, MODE)                                 \
  REGRAIN_STORE(GEOMETRY, ".v2.b32", PLACE, MODE, "%4, %5", "r"(v.a), "r"(v.b))
#define REGRAIN_STORE_16(GEOMETRY, PLACE, MODE)                                \
  REGRAIN_STORE(GEOMETRY, ".v4.b32", PLACE, MODE, "%4, %5, %6, %7", "r"(v.a), "r"(v.b), \
                "r"(v.c), "r"(v.d))

#define REGRAIN_ACCESS(NAME, BYTES)                                            \
  static __inline__ __attribute__((always_inline)) __device__ void NAME(       \
      BYTES v, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode)
#define REGRAIN_ACCESSES(NAME, GEOMETRY, PLACE)                                  \
  REGRAIN_ACCESS(regrainLoad##NAME, regrainSurfaceBytes<1> &) {                       \
    unsigned short byte;                                                       \
    REGRAIN_BOUNDED(REGRAIN_LOAD_1, GEOMETRY, PLACE)                           \
    v.a = (unsigned char)byte;                                                 \
  }                                                                            \
  REGRAIN_ACCESS(regrainLoad##NAME, regrainSurfaceBytes<2> &) {                       \
    REGRAIN_BOUNDED(REGRAIN_LOAD_2, GEOMETRY, PLACE)                           \
  }                                                                            \
  REGRAIN_ACCESS(regrainLoad##NAME, regrainSurfaceBytes<4> &) {                       \
    REGRAIN_BOUNDED(REGRAIN_LOAD_4, GEOMETRY, PLACE)                           \
  }                                                                            \
  REGRAIN_ACCESS(regrainLoad##NAME, regrainSurfaceBytes<8> &) {                       \
    REGRAIN_BOUNDED(REGRAIN_LOAD_8, GEOMETRY, PLACE)                           \
  }                                                                            \
  REGRAIN_ACCESS(regrainLoad##NAME, regrainSurfaceBytes<16> &) {                      \
    REGRAIN_BOUNDED(REGRAIN_LOAD_16, GEOMETRY, PLACE)                          \
  }                                                                            \
  REGRAIN_ACCESS(regrainStore##NAME, regrainSurfaceBytes<1>) {                        \
    REGRAIN_BOUNDED(REGRAIN_STORE_1, GEOMETRY, PLACE)                          \
  }                                                                            \
  REGRAIN_ACCESS(regrainStore##NAME, regrainSurfaceBytes<2>) {                        \
    REGRAIN_BOUNDED(REGRAIN_STORE_2, GEOMETRY, PLACE)                          \
  }                                                                            \
  REGRAIN_ACCESS(regrainStore##NAME, regrainSurfaceBytes<4>) {                        \
    REGRAIN_BOUNDED(REGRAIN_STORE_4, GEOMETRY, PLACE)                          \
  }                                                                            \
  REGRAIN_ACCESS(regrainStore##NAME, regrainSurfaceBytes<8>) {                        \
    REGRAIN_BOUNDED(REGRAIN_STORE_8, GEOMETRY, PLACE)                          \
  }                                                                            \
  REGRAIN_ACCESS(regrainStore##NAME, regrainSurfaceBytes<16>) {                       \
    REGRAIN_BOUNDED(REGRAIN_STORE_16, GEOMETRY, PLACE)                         \
  }

REGRAIN_ACCESSES(1D, "1d", REGRAIN_PLACE_1D)
REGRAIN_ACCESSES(2D, "2d", REGRAIN_PLACE_2D)
REGRAIN_ACCESSES(3D, "3d", REGRAIN_PLACE_3D)
REGRAIN_ACCESSES(1DLayered, "a1d", REGRAIN_PLACE_1D_LAYERED)
REGRAIN_ACCESSES(2DLayered, "a2d", REGRAIN_PLACE_2D_LAYERED)

#undef REGRAIN_ACCESSES
#undef REGRAIN_ACCESS
#undef REGRAIN_STORE_16
#undef REGRAIN_STORE_8
#undef REGRAIN_STORE_4
#undef REGRAIN_STORE_2
#undef REGRAIN_STORE_1
#undef REGRAIN_STORE
#undef REGRAIN_LOAD_16
#undef REGRAIN_LOAD_8
#undef REGRAIN_LOAD_4
#undef REGRAIN_LOAD_2
#undef REGRAIN_LOAD_1
#undef REGRAIN_PLACE_2D_LAYERED
#undef REGRAIN_PLACE_1D_LAYERED
#undef REGRAIN_PLACE_3D
#undef REGRAIN_PLACE_2D
#undef REGRAIN_PLACE_1D
#undef REGRAIN_INPUTS
#undef REGRAIN_BOUNDED
#endif

/* The forms of one function: through an object, and through a reference. */
#define REGRAIN_SURFACE(NAME, TYPE, GEOMETRY, PARAMETERS, ARGUMENTS, PLACE)    \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ T NAME##read(           \
      cudaSurfaceObject_t object, REGRAIN_LIST PARAMETERS,                     \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
      REGRAIN_BODY(regrainSurfaceBytes<sizeof(T)> v;                                  \
                   regrainLoad##GEOMETRY(v, object, REGRAIN_LIST PLACE, mode); \
                   return __builtin_bit_cast(T, v);)                           \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ void NAME##read(        \
      T *result, cudaSurfaceObject_t object, REGRAIN_LIST PARAMETERS,          \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
      REGRAIN_BODY(*result = NAME##read<T>(object, REGRAIN_LIST ARGUMENTS, mode);) \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ void NAME##write(       \
      T value, cudaSurfaceObject_t object, REGRAIN_LIST PARAMETERS,            \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
      REGRAIN_BODY(regrainStore##GEOMETRY(                                     \
                       __builtin_bit_cast(regrainSurfaceBytes<sizeof(T)>, value), object, \
                       REGRAIN_LIST PLACE, mode);)                             \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ T NAME##read(           \
      surface<void, TYPE> reference, REGRAIN_LIST PARAMETERS,                  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
      REGRAIN_BODY(return NAME##read<T>(regrainObject(reference),              \
                                        REGRAIN_LIST ARGUMENTS, mode);)        \
  template <class T>                                                           \
  __inline__ __attribute__((always_inline)) __device__ void NAME##write(       \
      T value, surface<void, TYPE> reference, REGRAIN_LIST PARAMETERS,         \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
      REGRAIN_BODY(NAME##write(value, regrainObject(reference),                \
                               REGRAIN_LIST ARGUMENTS, mode);)

REGRAIN_SURFACE(surf1D, cudaSurfaceType1D, 1D, (int x), (x), (x, 0, 0))
REGRAIN_SURFACE(surf2D, cudaSurfaceType2D, 2D, (int x, int y), (x, y), (x, y, 0))
REGRAIN_SURFACE(surf3D, cudaSurfaceType3D, 3D, (int x, int y, int z), (x, y, z), (x, y, z))
REGRAIN_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, 1DLayered, (int x, int layer),
                (x, layer), (x, 0, layer))
REGRAIN_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, 2DLayered,
                (int x, int y, int layer), (x, y, layer), (x, y, layer))
REGRAIN_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, 2DLayered, (int x, int y, int face),
                (x, y, face), (x, y, face))
/* `face` counts the faces of all layers. */
REGRAIN_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, 2DLayered,
                (int x, int y, int face), (x, y, face), (x, y, face))

#undef REGRAIN_SURFACE

#endif
