//===- integers.h - Integers among the arguments of launches ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace regrain {

/// The maximum of integers that distinguish launches of one kernel: image::Kernel::integers has at
/// most this many.
inline constexpr size_t mostIntegers = 32;

template <typename Integer> int64_t readAs(const void *place) {
  Integer value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

/// Returns the signed integer of `size` bytes (1, 2, 4 or 8) at `place`; nothing for other sizes.
[[nodiscard]] inline std::optional<int64_t> readInteger(const void *place, uint32_t size) {
  switch (size) {
  case 1:
    return readAs<int8_t>(place);
  case 2:
    return readAs<int16_t>(place);
  case 4:
    return readAs<int32_t>(place);
  case 8:
    return readAs<int64_t>(place);
  default:
    return std::nullopt;
  }
}

} // namespace regrain
