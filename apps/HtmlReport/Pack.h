//===- Pack.h - JSON with few repetitions -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/JsonFile.h"

namespace regrain::html {

/// Returns the same value with its lists of equal objects as columns: {"#": keys, "columns": ...}.
/// A column is the list of its values or, if few values recur, {"values": ..., "at": indices}.
/// Nothing is lost; web/unpack.ts is the inverse.
[[nodiscard]] Json pack(const Json &value);

} // namespace regrain::html
