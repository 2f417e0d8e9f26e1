//===- DeviceScope.h - The scope of CUDA's atomic functions -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang writes atomicAdd() and an addition that the program orders itself as the
// same instruction, sequentially consistent and without a scope. The front end
// tells them apart by this scope.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace regrain {

/// The scope, in device IR, of atomicAdd, atomicCAS and their like, by the name that
/// LLVM's NVPTX has for it. What has it is relaxed, whatever order it carries: PTX
/// orders nothing by it, and other targets need not.
inline constexpr llvm::StringLiteral deviceScope = "device";

} // namespace regrain
