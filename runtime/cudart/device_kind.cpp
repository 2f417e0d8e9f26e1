//===- device_kind.cpp - What the libraries ask ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/device_kind.h"

#include "runtime/cudart/entry.h"

#include <cstring>

bool regrain_device_is_cpu() {
  bool isCpu = false;
  cudaError_t status = regrain::entry([&] {
    regrain::Platform &platform = regrain::Platform::get();
    if (platform.status() == cudaSuccess)
      isCpu = std::strcmp(platform.chosenPlugin().name, "cpu") == 0;
    return platform.status();
  });
  return status == cudaSuccess && isCpu;
}
