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

/// Returns the position of `wanted` outside of all brackets, from `at` on, or the length of the
/// text. Names of kernels contain commas and colons within brackets.
[[nodiscard]] size_t findOutside(std::string_view text, char wanted, size_t at = 0);

/// Returns the name of a kernel, without return type and parameters, as a value of `variant=`; an
/// empty text if such a value could not be read again.
[[nodiscard]] std::string variantName(std::string_view name);

} // namespace regrain
