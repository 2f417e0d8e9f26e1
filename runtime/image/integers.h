//===- integers.h - Integers that distinguish launches ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace regrain {

/// The maximum for one kernel: image::Kernel::integers has at most this many.
inline constexpr size_t mostIntegers = 32;

} // namespace regrain
