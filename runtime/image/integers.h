//===- integers.h - Integers that tell launches apart -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace regrain {

/// Of one kernel: image::Kernel::integers holds no more.
inline constexpr size_t mostIntegers = 32;

} // namespace regrain
