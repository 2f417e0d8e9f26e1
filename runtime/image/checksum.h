//===- checksum.h - The checksum of the container ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace regrain {

/// Returns XXH64 with seed 0, as its public specification defines it.
[[nodiscard]] uint64_t checksum(const void *data, size_t bytes);

} // namespace regrain
