//===- memory_use.h - Memory that a kernel writes and reaches ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler tells the tuner these facts about memory that outlives a launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace regrain {

/// The set of the types of stored words. A word has a floating-point type if
/// arithmetic of that type may have produced it. Copied is set beside the type if some words of it
/// are only copies, or come from functions that are not known. Integers and unknown words are
/// Other.
enum class StoredTypes : uint8_t {
  None = 0,
  Half = 1,
  BFloat = 2,
  Single = 4,
  Double = 8,
  Other = 16,
  Copied = 32,
};

constexpr StoredTypes operator|(StoredTypes a, StoredTypes b) {
  return StoredTypes(uint8_t(a) | uint8_t(b));
}
constexpr StoredTypes operator-(StoredTypes a, StoredTypes b) {
  return StoredTypes(uint8_t(a) & ~uint8_t(b));
}
constexpr StoredTypes &operator|=(StoredTypes &a, StoredTypes b) { return a = a | b; }

/// Returns the size of a number in bytes if `types` is one floating-point type; otherwise 0.
[[nodiscard]] constexpr size_t bytesOfNumber(StoredTypes types) {
  switch (types) {
  case StoredTypes::Half:
  case StoredTypes::BFloat:
    return 2;
  case StoredTypes::Single:
    return 4;
  case StoredTypes::Double:
    return 8;
  default:
    return 0;
  }
}

struct MemoryUse {
  std::vector<StoredTypes> parameters;       ///< through each parameter; None: no store
  StoredTypes variables = StoredTypes::None; ///< in module variables
  StoredTypes elsewhere = StoredTypes::None; ///< through pointers of other origins
  /// True only if it is proved: nothing is accessed but module variables, and memory to
  /// which addresses in the parameters point: pointers, and pointers in structures at
  /// multiples of eight bytes.
  bool staysInArguments = true;
  /// Says that each block does the same, whichever other blocks the launch has.
  bool blocksWorkAlone = true;

  static MemoryUse unknown() { return {{}, StoredTypes::Other, StoredTypes::Other, false, false}; }

  /// Adds the effects of `other`.
  void join(const MemoryUse &other) {
    parameters.resize(std::max(parameters.size(), other.parameters.size()));
    for (size_t i = 0; i < other.parameters.size(); ++i)
      parameters[i] |= other.parameters[i];
    variables |= other.variables;
    elsewhere |= other.elsewhere;
    staysInArguments &= other.staysInArguments;
    blocksWorkAlone &= other.blocksWorkAlone;
  }
};

} // namespace regrain
