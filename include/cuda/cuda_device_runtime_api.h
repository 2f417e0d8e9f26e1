//===- cuda_device_runtime_api.h - Runtime calls in kernels -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launching kernels from kernels is not supported, so nothing is declared here:
// for a runtime call in a kernel, clang reports an error with file and line.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#pragma GCC system_header
#endif
