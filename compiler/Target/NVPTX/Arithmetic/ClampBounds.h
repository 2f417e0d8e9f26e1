//===- ClampBounds.h - How large clamped numbers are ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Value.h"
#include <optional>

namespace regrain::nvptx {

/// Returns the largest magnitude that a float has by the constants of a clamp, in front of which it
/// may be no number; nothing if it may be any.
[[nodiscard]] std::optional<float> largestMagnitude(const llvm::Value *number);

} // namespace regrain::nvptx
