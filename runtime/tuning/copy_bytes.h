//===- copy_bytes.h - Memory that copies take -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace regrain {

/// The bytes that measuring needs in addition to the program's memory.
struct CopyBytes {
  uint64_t device = 0, host = 0;
  static constexpr CopyBytes unlimited() { return {UINT64_MAX, UINT64_MAX}; }
  CopyBytes &operator+=(const CopyBytes &other) {
    device += other.device;
    host += other.host;
    return *this;
  }
  friend bool operator==(const CopyBytes &, const CopyBytes &) = default;
};

} // namespace regrain
