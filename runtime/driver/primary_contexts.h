//===- primary_contexts.h - The contexts that programs create ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regrain's runtime, like NVIDIA's, works in the primary context of a device. Textures and memory
// of another context mean nothing to kernels there. What a program gets from cuCtxCreate is
// therefore the primary context (docs/decisions/0074).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/driver/on_runtime.h"

#include <map>
#include <mutex>

namespace regrain::driver {

class PrimaryContexts {
public:
  /// The functions of NVIDIA's driver.
  struct Driver {
    CUresult (*retain)(CUcontext *context, CUdevice device);
    CUresult (*release)(CUdevice device);
    CUresult (*setFlags)(CUdevice device, unsigned int flags);
    CUresult (*push)(CUcontext context);
    CUresult (*pop)(CUcontext *context);
    CUresult (*current)(CUcontext *context);
    CUresult (*destroy)(CUcontext context);
  };
  explicit PrimaryContexts(const Driver &driver) : driver(driver) {}

  /// Behaves as cuCtxCreate, except that all contexts of a device are the same one.
  [[nodiscard]] CUresult create(CUcontext *context, unsigned int flags, CUdevice device);
  /// Behaves as cuCtxDestroy. A primary context lasts as long as somebody uses it.
  [[nodiscard]] CUresult destroy(CUcontext context);

private:
  struct Made {
    CUdevice device = 0;
    unsigned count = 0; ///< contexts that were created and not destroyed
  };

  Driver driver;
  std::mutex mutex; ///< guards `made`
  std::map<CUcontext, Made> made;
};

} // namespace regrain::driver
