//===- SharedAlignment.h - alignas behind __shared__ ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes `__shared__ alignas(128) int buffer[32];` in a function, and clang only takes
// `alignas(128) __shared__ int buffer[32];`. The words change places.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source with each `alignas` in front of its __shared__, or nothing if there
/// is none to move. Both stay as they are if they are in different lines.
std::optional<std::string> moveAlignments(llvm::StringRef text);

} // namespace regrain
