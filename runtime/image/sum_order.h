//===- sum_order.h - Grains whose sums have another order -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At such a grain, results differ from the original's by rounding. It is in an image only if the
// program was built with --reassociate, and every report marks it
// (docs/decisions/0088-sums-in-another-order.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

/// The mark in reports.
inline constexpr std::string_view reorderedSums = "sums in another order";

[[nodiscard]] inline bool reordersSums(const Grain &grain) { return grain.words.contains("sums"); }

/// Returns the same for the id of an alternative.
[[nodiscard]] inline bool reordersSums(std::string_view id) {
  return id.starts_with("sums=") || id.find(",sums=") != std::string_view::npos;
}

/// The mark of a variant: for it vouches the source, and not a proof.
inline constexpr std::string_view offeredBySource = "offered by the source";

[[nodiscard]] inline bool isOffered(std::string_view id) { return id.starts_with("variant="); }

/// Returns the id for people, with the marks that it needs.
[[nodiscard]] inline std::string marked(std::string_view id) {
  std::string marks(isOffered(id) ? offeredBySource : "");
  if (reordersSums(id))
    marks += (marks.empty() ? "" : ", ") + std::string(reorderedSums);
  return std::string(id) + (marks.empty() ? "" : " (" + marks + ")");
}

} // namespace regrain
