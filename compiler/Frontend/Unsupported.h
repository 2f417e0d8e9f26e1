//===- Unsupported.h - Device code that is refused --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is device code that clang accepts but the rest of the compiler does not support:
//   - functions and variables that no translation unit defines;
//   - LLVM's intrinsics for textures and surfaces, which CUDA's functions do not need;
//   - kernels launched from the device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include <functional>
#include <optional>

namespace regrain {

/// Returns why a function or variable cannot be used that the module does not define, or nothing if
/// it can.
using UndefinedReason = std::function<std::optional<std::string>(const llvm::GlobalValue &)>;

/// Returns the words for a function or variable in such a reason: "device function 'f(int)'".
std::string describeUndefined(const llvm::GlobalValue &undefined);

/// Prints an error in clang's form for each such use that a kernel can reach, once per callee, and
/// for each kernel with a variable number of arguments.
/// Returns true if there is one.
bool reportUnsupported(const llvm::Module &device, llvm::ArrayRef<DeviceKernel> kernels,
                       const UndefinedReason &reasonAgainstUndefined);

} // namespace regrain
