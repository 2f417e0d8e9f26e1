//===- DynamicShared.h - Copies of dynamic shared memory --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

/// Copies of dynamic shared memory start at multiples of this many bytes.
inline constexpr int64_t dynamicSharedAlignment = 16;

} // namespace regrain
