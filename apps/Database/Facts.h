//===- Facts.h - What tuning knows of one grain -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/Why.h"
#include "runtime/tuning/database.h"

namespace regrain::database {

/// Returns what the database says of the grain at kernels of that name, whatever their code was.
[[nodiscard]] OrError<report::TuningFacts>
factsOf(Database &database, const std::string &kernelName, const std::string &alternative);

/// Does the same for the database that the environment determines; without one, nothing is known.
[[nodiscard]] report::TuningFacts factsHere(const std::string &kernelName,
                                            const std::string &alternative);

} // namespace regrain::database
