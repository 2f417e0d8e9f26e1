//===- MeasurementJson.h - A measurement as JSON ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Choices/JsonFile.h"
#include "runtime/tuning/database.h"

namespace regrain::database {

/// Returns what docs/report-schema.md says of a measurement. The key and the class are not in it.
[[nodiscard]] Json measurementJson(const Measurement &measurement);

} // namespace regrain::database
