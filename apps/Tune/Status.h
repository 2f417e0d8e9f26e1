//===- Status.h - What a tuning run is doing --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <optional>
#include <string>
#include <vector>

namespace regrain::tune {

struct Status {
  std::string kernel;    ///< its short name
  std::string candidate; ///< the latest one
  std::string best;      ///< of the kernel's class, so far; empty: the original
  double bestRatio = 1;
  double secondsLeft = 0; ///< of the budget
};

/// Reads the status from a session's database: the candidate that is running or, if
/// there is none, the latest measurement. Returns nothing if there is neither.
[[nodiscard]] std::optional<Status> statusOf(const std::vector<Underway> &underway,
                                             const std::vector<Measurement> &measurements,
                                             double secondsLeft);

/// Returns one line of fewer than `width` columns. If it is too long, the kernel's
/// name is shortened first, then the end.
[[nodiscard]] std::string statusText(const Status &status, size_t width);

/// Returns "scale" for "void scale<float>(float *, int)".
[[nodiscard]] std::string shortName(const std::string &kernelName);

/// Returns the same with the arguments of the template, which tell instances apart.
[[nodiscard]] std::string instanceName(const std::string &kernelName);

} // namespace regrain::tune
