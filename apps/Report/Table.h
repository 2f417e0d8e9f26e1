//===- Table.h - Rows of text in columns ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace regrain::report {

struct Column {
  std::string heading;
  bool isFigure = false; ///< aligned to the right
};

using Row = std::vector<std::string>; ///< one cell for each column, in UTF-8

/// Writes the headings and the rows, with two blanks before each column.
void writeTable(const std::vector<Column> &columns, const std::vector<Row> &rows,
                std::ostream &out);

} // namespace regrain::report
