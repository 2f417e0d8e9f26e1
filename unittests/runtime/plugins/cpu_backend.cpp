//===- cpu_backend.cpp - The CPU device behind stand-ins ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/plugins/cpu_backend.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace regrain;

/// The CPU plugin's library; the code that it loads finds its functions in the global
/// scope.
Device &backend() {
  static Device *device = [] {
    void *library = dlopen("libregrain-cpu.so", RTLD_NOW | RTLD_GLOBAL);
    auto *entry =
        library ? reinterpret_cast<const DevicePlugin *(*)()>(dlsym(library, "regrainCpuPlugin"))
                : nullptr;
    std::unique_ptr<Device> opened;
    std::string reason = entry ? "" : dlerror();
    if (!entry || entry()->open(0, opened, reason) != cudaSuccess) {
      std::fprintf(stderr, "the stand-in has no CPU device: %s\n", reason.c_str());
      std::abort();
    }
    return opened.release();
  }();
  return *device;
}
