//===- ring_form.h - How rings of planes lie in shared memory ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

inline constexpr std::string_view stagesKey = "stages";
inline constexpr std::string_view dynamicSharedKey = "dynamic-shared";

/// Returns how many planes are copied ahead of the steps that read them.
[[nodiscard]] inline uint32_t planesAhead(const Grain &grain) {
  auto stages = grain.codegen.find(stagesKey);
  return stages == grain.codegen.end() ? 1 : stages->second - 1;
}

/// Returns the bytes of dynamic shared memory that each launched block gets for its rings; 0 if
/// they are static arrays.
[[nodiscard]] inline uint64_t dynamicSharedOf(const Grain &grain) {
  auto kibibytes = grain.codegen.find(dynamicSharedKey);
  return kibibytes == grain.codegen.end() ? 0 : uint64_t(kibibytes->second) << 10;
}

} // namespace regrain
