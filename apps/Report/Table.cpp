//===- Table.cpp - Rows of text in columns --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/Table.h"

#include <algorithm>
#include <ostream>

namespace regrain::report {
namespace {

/// Counts code points: all bytes but the continuation bytes of UTF-8.
size_t widthOf(const std::string &text) {
  return std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; });
}

void writeRow(const Row &row, const std::vector<Column> &columns, const std::vector<size_t> &widths,
              std::ostream &out) {
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::string padding(widths[i] - widthOf(row[i]), ' ');
    line += "  " + (columns[i].isFigure ? padding + row[i] : row[i] + padding);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

} // namespace

void writeTable(const std::vector<Column> &columns, const std::vector<Row> &rows,
                std::ostream &out) {
  Row headings;
  std::vector<size_t> widths;
  for (const Column &column : columns) {
    headings.push_back(column.heading);
    widths.push_back(widthOf(column.heading));
  }
  for (const Row &row : rows)
    for (size_t i = 0; i < columns.size(); ++i)
      widths[i] = std::max(widths[i], widthOf(row[i]));
  writeRow(headings, columns, widths, out);
  for (const Row &row : rows)
    writeRow(row, columns, widths, out);
}

} // namespace regrain::report
