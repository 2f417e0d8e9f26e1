//===- Conversions.h - Numbers of several types as words --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace regrain::fuzz {

/// Returns the functions toWord, toHalf, fromHalf and toBfloat with the headers that they need. Any
/// program with numbers that are not words begins with them.
std::string printConversions();

} // namespace regrain::fuzz
