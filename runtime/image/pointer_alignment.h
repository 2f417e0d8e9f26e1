//===- pointer_alignment.h - How far arguments are aligned ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

/// The bytes to which a grain may ask pointer arguments to be aligned: a line of the caches.
/// Allocations are aligned to more.
inline constexpr uint32_t mostAlignment = 128;

} // namespace regrain
