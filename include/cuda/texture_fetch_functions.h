//===- texture_fetch_functions.h - Texture references ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)
#include "regrain_textures.h"
#endif

#endif
