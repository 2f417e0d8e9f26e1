//===- Table.cpp - Rows of text in columns --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/Table.h"

#include <algorithm>
#include <ostream>

namespace regrain::terminal {
namespace {

/// Counts code points: all bytes but the continuation bytes of UTF-8. The sequences that set
/// colours take no columns.
size_t widthOf(const std::string &text) {
  size_t width = 0;
  bool isInSequence = false;
  for (char byte : text) {
    isInSequence |= byte == '\033';
    width += !isInSequence && (byte & 0xc0) != 0x80;
    isInSequence &= byte != 'm';
  }
  return width;
}

std::string lineOf(const Row &row, const std::vector<Column> &columns,
                   const std::vector<size_t> &widths) {
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::string padding(widths[i] - widthOf(row[i]), ' ');
    line += (i == 0 ? "" : "  ") + (columns[i].isFigure ? padding + row[i] : row[i] + padding);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

} // namespace

std::vector<std::string> tableLines(const std::vector<Column> &columns,
                                    const std::vector<Row> &rows) {
  Row headings;
  std::vector<size_t> widths;
  for (const Column &column : columns) {
    headings.push_back(column.heading);
    widths.push_back(widthOf(column.heading));
  }
  for (const Row &row : rows)
    for (size_t i = 0; i < columns.size(); ++i)
      widths[i] = std::max(widths[i], widthOf(row[i]));
  std::vector<std::string> lines = {lineOf(headings, columns, widths)};
  for (const Row &row : rows)
    lines.push_back(lineOf(row, columns, widths));
  return lines;
}

void writeTable(const std::vector<Column> &columns, const std::vector<Row> &rows,
                std::ostream &out) {
  for (const std::string &line : tableLines(columns, rows))
    out << (line.empty() ? "" : "  ") << line << '\n';
}

} // namespace regrain::terminal
