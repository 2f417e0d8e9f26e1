//===- surface_indirect_functions.h - Surface objects ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)
#include "regrain_textures.h"
#endif

#endif
