//===- DeviceScope.h - The scope of CUDA's atomic functions -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang emits atomicAdd() and an addition that the program orders itself as the same instruction,
// sequentially consistent and without a scope. The frontend tells them apart by this scope.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace regrain {

/// The scope of atomicAdd, atomicCAS and similar functions in device IR, which has the name that
/// LLVM's NVPTX target uses. An operation with this scope is relaxed, whatever ordering it carries:
/// PTX does not order anything by it, and other targets need not.
inline constexpr llvm::StringLiteral deviceScope = "device";

} // namespace regrain
