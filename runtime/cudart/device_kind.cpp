//===- device_kind.cpp - What the libraries ask ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/device_kind.h"

#include "runtime/cudart/entry.h"

#include <cstring>

namespace {

/// Returns whether the plugin `name` has the devices of the process.
bool isChosen(const char *name) {
  regrain::Platform &platform = regrain::Platform::get();
  return platform.status() == cudaSuccess && std::strcmp(platform.chosenPlugin().name, name) == 0;
}

} // namespace

bool regrain_device_is_cpu() {
  bool isCpu = false;
  cudaError_t status = regrain::entry([&] {
    isCpu = isChosen("cpu");
    return regrain::Platform::get().status();
  });
  return status == cudaSuccess && isCpu;
}

int regrain_hip_version() {
  int version = 0;
  cudaError_t status = regrain::onOpenDevice([&](regrain::OpenDevice &) {
    if (isChosen("hip"))
      version = regrain::Platform::get().chosenPlugin().codeVersion();
    return cudaSuccess;
  });
  return status == cudaSuccess ? version : 0;
}
