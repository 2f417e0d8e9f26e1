//===- grain_spec.h - Parsing SPEC ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

/// Returns whether `text`, which follows a colon, is a modifier of a factor:
/// "contiguous" or "remainder", alone or before a comma.
[[nodiscard]] bool isGrainModifier(std::string_view text);

} // namespace regrain
