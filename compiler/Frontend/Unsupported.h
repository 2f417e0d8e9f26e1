//===- Unsupported.h - Device code that is refused --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code that clang accepts and the rest of the compiler does not serve:
//   - functions and variables of other translation units (-rdc);
//   - textures and surfaces;
//   - kernels launched from the device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Prints an error in clang's form for each such use that a kernel can reach,
/// the same callee once. True where there is one.
bool reportUnsupported(const llvm::Module &device, llvm::ArrayRef<DeviceKernel> kernels);

} // namespace regrain
