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

namespace regrain::terminal {

struct Column {
  std::string heading;
  bool isFigure = false; ///< aligned to the right
};

using Row = std::vector<std::string>; ///< one cell for each column, in UTF-8

/// Returns a line for the headings and one for each row, without line breaks. There are two
/// blanks between columns.
[[nodiscard]] std::vector<std::string> tableLines(const std::vector<Column> &columns,
                                                  const std::vector<Row> &rows);

/// Writes these lines, with two blanks before each.
void writeTable(const std::vector<Column> &columns, const std::vector<Row> &rows,
                std::ostream &out);

} // namespace regrain::terminal
