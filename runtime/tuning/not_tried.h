//===- not_tried.h - What the budget did not pay for ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regrain {

/// Returns the outcome (Measurement in database.h) of a candidate that was not tried at a launch,
/// although a budget of so many seconds would have paid for all.
[[nodiscard]] std::string notTriedOutcome(double budgetForAll);

/// Returns that budget for such an outcome, and nothing for any other.
[[nodiscard]] std::optional<double> budgetOfNotTried(std::string_view outcome);

} // namespace regrain
