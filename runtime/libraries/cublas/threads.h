//===- threads.h - Threads of the library below -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain::cublas {

/// Lets BLAS use as many threads as the CPU device.
void limitThreads();

} // namespace regrain::cublas
