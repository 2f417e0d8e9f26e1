//===- hip.h - cuRAND on an AMD GPU, by hipRAND -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipRAND has cuRAND's statuses and orderings, and other numbers of generators.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "curand.h"
#include "runtime/libraries/hip/library.h"

namespace regrain::curand::hip {

const libraries::HipLibrary &library();

/// Calls an entry of hipRAND.
template <class... Args> curandStatus_t call(const char *entry, Args... args) {
  void *function = library().isLoaded() ? library().findOrReport(entry, "cuRAND") : nullptr;
  if (!function || libraries::hipMajor() == 0)
    return CURAND_STATUS_ARCH_MISMATCH;
  int status = libraries::callHip(function, args...);
  constexpr int notImplemented = 1000; // a status that cuRAND does not have
  return status == notImplemented ? CURAND_STATUS_ARCH_MISMATCH : curandStatus_t(status);
}

/// Makes a generator of hipRAND.
curandStatus_t create(void *&generator, curandRngType_t type);

} // namespace regrain::curand::hip
