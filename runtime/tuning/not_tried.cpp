//===- not_tried.cpp - What the budget did not pay for --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/not_tried.h"

#include <charconv>
#include <cstdint>

namespace regrain {

static constexpr std::string_view begin = "not tried: a budget of ", end = " s would try all";

std::string notTriedOutcome(double budgetForAll) {
  return std::string(begin) + std::to_string(int64_t(budgetForAll)) + std::string(end);
}

std::optional<double> budgetOfNotTried(std::string_view outcome) {
  if (!outcome.starts_with(begin) || !outcome.ends_with(end))
    return std::nullopt;
  int64_t seconds = 0;
  auto [stop, failed] =
      std::from_chars(outcome.data() + begin.size(), outcome.data() + outcome.size(), seconds);
  bool isWhole = failed == std::errc() && stop == outcome.data() + (outcome.size() - end.size());
  return isWhole ? std::optional(double(seconds)) : std::nullopt;
}

} // namespace regrain
