//===- Architecture.h - An architecture of NVIDIA's GPUs --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <compare>
#include <optional>
#include <string>

namespace regrain {

/// What the names "sm_100f" and "compute_100f" have in common (CUDA C++ Programming Guide,
/// "Feature Set Compiler Targets").
struct Architecture {
  /// The instructions that may be used beside those that all later chips have.
  enum Features : char { Common = 0, OfChip = 'a', OfFamily = 'f' };

  Architecture(unsigned number = 0, Features features = Common)
      : number(number), features(features) {}

  /// Reads "90" or "100f".
  static std::optional<Architecture> parse(llvm::StringRef text) {
    unsigned number = 0;
    if (text.consumeInteger(10, number) || number < 10)
      return std::nullopt;
    if (text.empty())
      return Architecture(number);
    if (text == "a" || text == "f")
      return Architecture(number, static_cast<Features>(text.front()));
    return std::nullopt;
  }

  std::string text() const {
    std::string result = std::to_string(number);
    if (features != Common)
      result += static_cast<char>(features);
    return result;
  }
  std::string chip() const { return "sm_" + text(); }             ///< "sm_100f"
  std::string virtualName() const { return "compute_" + text(); } ///< "compute_100f"

  auto operator<=>(const Architecture &) const = default;

  unsigned number; ///< __CUDA_ARCH__ / 10
  Features features;
};

} // namespace regrain
