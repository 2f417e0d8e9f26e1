//===- threads.cpp - Threads of the library below -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/threads.h"

#include "runtime/libraries/stream/submit.h"

#include <mutex>

extern "C" void openblas_set_num_threads(int count);

void regrain::cublas::limitThreads() {
  static std::once_flag isLimited;
  std::call_once(isLimited, [] { openblas_set_num_threads(libraries::threadCount()); });
}
