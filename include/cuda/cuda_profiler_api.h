//===- cuda_profiler_api.h - Profiler control -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#pragma GCC system_header

#include "cuda_runtime_api.h"

#endif
