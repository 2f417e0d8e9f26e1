//===- cufft-results.cu - The results of cuFFT ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs name all results in their messages, also those that Regrain's cuFFT never returns.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain-nvcc --targets=cpu --cuda-path=none -c %s -o %t.o
#include <cufft.h>

static_assert(CUFFT_MISSING_DEPENDENCY == 17);
static_assert(CUFFT_NVRTC_FAILURE == 18);
static_assert(CUFFT_NVJITLINK_FAILURE == 19);
static_assert(CUFFT_NVSHMEM_FAILURE == 20);
static_assert(CUFFT_NOT_SUPPORTED == 16);
