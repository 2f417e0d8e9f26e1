//===- CodeText.cpp - Code as text, side by side --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/CodeText.h"

#include "apps/Report/SourceLines.h"
#include "apps/Terminal/Table.h"

#include <algorithm>
#include <cstdint>
#include <ostream>

namespace regrain::report {
namespace {

using terminal::Column;
using terminal::Row;

/// The instructions of one source line, for each side.
struct LineGroup {
  SourcePosition where; ///< unknown for instructions that belong to no line
  std::vector<std::vector<const listing::Instruction *>> sides;
};

/// Groups by line; files are in the order in which the code names them, and what has no line is
/// last.
std::vector<LineGroup> groupLines(const KernelCode &code) {
  std::vector<std::string> files;
  std::map<std::pair<size_t, unsigned>, LineGroup> groups;
  for (size_t side = 0; side < code.sides.size(); ++side)
    for (const listing::Instruction &each : code.sides[side].listing.instructions) {
      auto file = std::ranges::find(files, each.where.file);
      if (each.where.isKnown() && file == files.end())
        file = files.insert(file, each.where.file);
      size_t order = each.where.isKnown() ? file - files.begin() : SIZE_MAX;
      LineGroup &group = groups[{order, each.where.line}];
      group.where = each.where;
      group.sides.resize(code.sides.size());
      group.sides[side].push_back(&each);
    }
  std::vector<LineGroup> inOrder;
  for (auto &[key, group] : groups)
    inOrder.push_back(std::move(group));
  return inOrder;
}

void writeInstructions(const KernelCode &code, SourceLines &sources, std::ostream &out) {
  std::vector<Column> columns;
  for (const CodeSide &side : code.sides)
    columns.push_back({side.alternative});
  std::vector<Row> rows;
  std::map<size_t, const LineGroup *> starts; ///< the group that begins at a row
  std::vector<LineGroup> groups = groupLines(code);
  for (const LineGroup &group : groups) {
    starts[rows.size()] = &group;
    size_t most = 0;
    for (const auto &side : group.sides)
      most = std::max(most, side.size());
    for (size_t i = 0; i < most; ++i) {
      Row &row = rows.emplace_back();
      for (const auto &side : group.sides)
        row.push_back(i < side.size() ? side[i]->text : "");
    }
  }
  std::vector<std::string> lines = terminal::tableLines(columns, rows);
  out << "    " << lines.front() << '\n';
  for (size_t i = 0; i < rows.size(); ++i) {
    auto start = starts.find(i);
    if (start != starts.end() && (groups.size() > 1 || start->second->where.isKnown())) {
      const SourcePosition &where = start->second->where;
      const std::string &source = sources.at(where);
      out << "  " << (where.isKnown() ? toString(where) : "no line") << (source.empty() ? "" : ": ")
          << source << '\n';
    }
    out << "    " << lines[i + 1] << '\n';
  }
}

std::string signedText(int64_t value) {
  return value > 0 ? "+" + std::to_string(value) : std::to_string(value);
}

/// Adds the figures of the sides, and their difference if there are two. A figure that is not known
/// is negative.
void addFigures(const std::vector<int64_t> &figures, Row &row) {
  for (int64_t figure : figures)
    row.push_back(figure < 0 ? "-" : std::to_string(figure));
  if (figures.size() == 2)
    row.push_back(std::ranges::min(figures) < 0 ? "-" : signedText(figures[1] - figures[0]));
}

void addFigureColumns(const KernelCode &code, std::vector<Column> &columns) {
  for (const CodeSide &side : code.sides)
    columns.push_back({side.alternative, true});
  if (code.sides.size() == 2)
    columns.push_back({"difference", true});
}

void writeAccesses(const KernelCode &code, std::ostream &out) {
  std::vector<listing::AccessCounts> counts;
  listing::AccessCounts all;
  for (const CodeSide &side : code.sides) {
    counts.push_back(listing::countAccesses(side.listing));
    for (const auto &[access, count] : counts.back())
      all[access].opcodes.insert(count.opcodes.begin(), count.opcodes.end());
  }
  std::vector<Column> columns = {
      {"memory"}, {"access"}, {"bits", true}, {"hint"}, {"instructions"}};
  addFigureColumns(code, columns);
  std::vector<Row> rows;
  for (const auto &[access, count] : all) {
    std::string opcodes;
    for (const std::string &opcode : count.opcodes)
      opcodes += (opcodes.empty() ? "" : ", ") + opcode;
    Row &row = rows.emplace_back(Row{nameOf(access.space), nameOf(access.kind),
                                     access.bits ? std::to_string(access.bits) : "-",
                                     access.hint.empty() ? "-" : access.hint, opcodes});
    std::vector<int64_t> figures;
    for (const listing::AccessCounts &side : counts) {
      auto found = side.find(access);
      figures.push_back(found == side.end() ? 0 : found->second.count);
    }
    addFigures(figures, row);
  }
  if (rows.empty())
    out << "  no access to memory\n";
  else
    terminal::writeTable(columns, rows, out);
}

void writeTotals(const KernelCode &code, std::ostream &out) {
  std::vector<Column> columns = {{"in all"}};
  addFigureColumns(code, columns);
  struct Figure {
    const char *name;
    int64_t (*of)(const CodeSide &side);
  };
  static constexpr Figure figures[] = {
      {"instructions",
       [](const CodeSide &s) -> int64_t { return totalsOf(s.listing).instructions; }},
      {"fused multiply-adds", [](const CodeSide &s) -> int64_t { return totalsOf(s.listing).fma; }},
      {"branches", [](const CodeSide &s) -> int64_t { return totalsOf(s.listing).branches; }},
      {"barriers", [](const CodeSide &s) -> int64_t { return totalsOf(s.listing).barriers; }},
      {"registers", [](const CodeSide &s) -> int64_t { return s.resources.registers; }},
      {"spill stores, bytes",
       [](const CodeSide &s) -> int64_t { return s.resources.spillStoreBytes; }},
      {"spill loads, bytes",
       [](const CodeSide &s) -> int64_t { return s.resources.spillLoadBytes; }},
      {"stack, bytes", [](const CodeSide &s) -> int64_t { return s.resources.stackBytes; }},
  };
  std::vector<Row> rows;
  for (const Figure &figure : figures) {
    std::vector<int64_t> values;
    for (const CodeSide &side : code.sides)
      values.push_back(figure.of(side));
    addFigures(values, rows.emplace_back(Row{figure.name}));
  }
  terminal::writeTable(columns, rows, out);
}

} // namespace

void writeCode(const FileReport &report, std::ostream &out) {
  SourceLines sources(report.file);
  for (const ImageReport &image : report.images)
    for (const KernelReport &kernel : image.kernels) {
      out << kernel.name << ": ";
      if (!kernel.code) {
        out << "no such code\n\n";
        continue;
      }
      const KernelCode &code = *kernel.code;
      out << nameOf(code.form) << " for " << code.arch << '\n';
      if (!code.missing.empty())
        out << "  " << code.missing << '\n';
      writeInstructions(code, sources, out);
      out << '\n';
      writeAccesses(code, out);
      out << '\n';
      writeTotals(code, out);
      out << '\n';
    }
}

} // namespace regrain::report
