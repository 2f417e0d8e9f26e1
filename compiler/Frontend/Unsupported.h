//===- Unsupported.h - Device code that is refused --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is device code that clang accepts but the rest of the compiler does not support:
//   - functions and variables of other translation units (-rdc);
//   - textures and surfaces;
//   - kernels launched from the device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Prints an error in clang's form for each such use that a kernel can reach, once per callee.
/// Returns true if there is one.
bool reportUnsupported(const llvm::Module &device, llvm::ArrayRef<DeviceKernel> kernels);

} // namespace regrain
