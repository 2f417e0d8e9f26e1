//===- driver_functions.h - make_cudaExtent and the like --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__
#pragma GCC system_header

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr
make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height) {
  struct cudaPitchedPtr result = {pointer, pitch, width, height};
  return result;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos result = {x, y, z};
  return result;
}

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height,
                                                             size_t depth) {
  struct cudaExtent result = {width, height, depth};
  return result;
}

#endif
