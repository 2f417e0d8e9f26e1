//===- SuiteReport.h - Table and JSON of a suite ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Suite/Program.h"

#include <iosfwd>

namespace regrain::suite {

/// Writes one line for each program, the reasons below it, and a line of
/// totals.
void writeTable(const std::vector<ProgramResult> &programs, std::ostream &out);

/// Writes JSON as in docs/suite.md, with the results so far of a suite of
/// `count` programs.
void writeJson(const std::vector<ProgramResult> &programs, size_t count, const Options &options,
               std::ostream &out);

} // namespace regrain::suite
