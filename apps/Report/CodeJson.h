//===- CodeJson.h - Code as JSON --------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/KernelCode.h"

#include <nlohmann/json.hpp>

namespace regrain::report {

/// Returns a listing as docs/report-schema.md describes it.
[[nodiscard]] nlohmann::ordered_json toJson(const KernelCode &code);

} // namespace regrain::report
