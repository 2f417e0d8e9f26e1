//===- registration.h - What host objects call to register ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
#include "include/cuda/cuda_runtime_api.h"

extern "C" {
#define REGRAIN_REGISTRATION_CALL(RESULT, NAME, PARAMETERS)                                        \
  RESULT NAME PARAMETERS REGRAIN_SYMBOL(#NAME);
#include "runtime/cudart/registration_calls.def"

/// Regrain's compiler calls this for each access of the host to a managed variable. `pointer` is
/// the variable that it registers; it is null until the memory is known.
void *regrain_managedAddress(void **pointer);
}
#pragma GCC visibility pop

namespace regrain {

/// The argument of a host object to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  static constexpr int knownMagic = 0x466243b1;

  int magic = knownMagic;
  int version = 1;
  const void *data = nullptr; ///< an image, or another compiler's fat binary
  /// CUDART_VERSION of the program, as Regrain's compiler writes it where others write null.
  uintptr_t cudaVersion = 0;
};

} // namespace regrain
