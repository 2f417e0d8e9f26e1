//===- DriverFunctions.h - Functions of NVIDIA's driver ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace regrain {

/// Returns whether NVIDIA's driver defines the function for device code.
inline bool driverDefines(llvm::StringRef name) {
  return llvm::is_contained({"vprintf", "malloc", "free", "__assertfail"}, name);
}

} // namespace regrain
