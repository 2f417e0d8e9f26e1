//===- CodeText.h - Code as text, side by side ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/FileReport.h"

namespace regrain::report {

/// Writes the code of each kernel by source lines, and tables of its accesses and totals. Lines of
/// sources that are older than the file are quoted.
void writeCode(const FileReport &report, std::ostream &out);

} // namespace regrain::report
