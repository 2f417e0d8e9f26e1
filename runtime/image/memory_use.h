//===- memory_use.h - What a kernel writes where, and reaches ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler tells the tuner of memory that outlives a launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace regrain {

/// What words are; a set. A word is of a floating-point type where arithmetic of that
/// type may have made it; copied words, integers and what is not known are Other.
enum class StoredTypes : uint8_t {
  None = 0,
  Half = 1,
  BFloat = 2,
  Single = 4,
  Double = 8,
  Other = 16,
};

constexpr StoredTypes operator|(StoredTypes a, StoredTypes b) {
  return StoredTypes(uint8_t(a) | uint8_t(b));
}
constexpr StoredTypes &operator|=(StoredTypes &a, StoredTypes b) { return a = a | b; }

struct MemoryUse {
  std::vector<StoredTypes> parameters;       ///< through each parameter; None: nothing
  StoredTypes variables = StoredTypes::None; ///< in module variables
  StoredTypes elsewhere = StoredTypes::None; ///< through pointers of any other origin
  /// Proved: nothing is accessed but module variables, and what addresses in the parameters
  /// point into: pointers, and pointers in structures at multiples of eight bytes.
  bool staysInArguments = true;

  static MemoryUse unknown() { return {{}, StoredTypes::Other, StoredTypes::Other, false}; }

  /// Adds what `other` may do.
  void join(const MemoryUse &other) {
    parameters.resize(std::max(parameters.size(), other.parameters.size()));
    for (size_t i = 0; i < other.parameters.size(); ++i)
      parameters[i] |= other.parameters[i];
    variables |= other.variables;
    elsewhere |= other.elsewhere;
    staysInArguments &= other.staysInArguments;
  }
};

} // namespace regrain
