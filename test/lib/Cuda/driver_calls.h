//===- driver_calls.h - Entry points of the interpreting driver -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libcuda.so.1 whose launches interpret LLVM IR. The CPU device does the rest; its handles are
// the driver's. What it has no use for is an error (absent_calls.cpp): textures, clusters, pools,
// conditional nodes, other processes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cuda/driver.h"
#include "unittests/runtime/plugins/cpu_backend.h"

using namespace regrain;
using namespace regrain::cuda;

extern "C" {
#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  CUresult interpreted_##name parameters __asm__(symbol);
#include "runtime/plugins/cuda/driver_api.def"
}

/// Both have the same numbers for the same errors.
inline CUresult asDriver(cudaError_t status) { return static_cast<CUresult>(status); }

inline void *pointerTo(CUdeviceptr address) { return reinterpret_cast<void *>(address); }
