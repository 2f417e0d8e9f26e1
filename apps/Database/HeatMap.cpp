//===- HeatMap.cpp - Gains by block and thread factors --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/HeatMap.h"

#include "apps/Terminal/Colour.h"
#include "apps/Terminal/ProgressLine.h"
#include "apps/Terminal/Table.h"
#include "runtime/image/grain.h"
#include "runtime/tuning/statistics.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>
#include <tuple>

namespace regrain::database {
namespace {

using terminal::Tone;

constexpr size_t lineWidth = 80;
constexpr size_t cellWidth = 5; ///< a gain below 10 and its mark

/// One side of a cell: what it is called, behind what has smaller factors.
struct Side {
  uint32_t size = 1;
  std::string text;
  friend auto operator<=>(const Side &, const Side &) = default;
};

std::string factorsText(const Factors &factors) {
  std::string text;
  for (size_t i = 0; i < factors.size(); ++i)
    if (factors[i] != 1)
      text += "xyz"[i] + std::to_string(factors[i]);
  return text;
}

void append(std::string &text, const std::string &more) {
  text += (text.empty() || more.empty() ? "" : " ") + more;
}

uint32_t productOf(const Factors &factors) { return factors[0] * factors[1] * factors[2]; }

Side blockSide(const Grain &grain) {
  Side side = {productOf(grain.block) * productOf(grain.fuse), factorsText(grain.block)};
  if (std::string fused = factorsText(grain.fuse); !fused.empty())
    append(side.text, "fuse " + fused);
  if (grain.shape)
    append(side.text, "shape " + std::to_string((*grain.shape)[0]) + "x" +
                          std::to_string((*grain.shape)[1]) + "x" +
                          std::to_string((*grain.shape)[2]));
  if (side.text.empty())
    side.text = "1";
  return side;
}

Side threadSide(const Grain &grain) {
  Side side = {productOf(grain.thread), factorsText(grain.thread)};
  if (side.text.empty())
    side.text = "1";
  if (grain.contiguous)
    side.text += "c";
  return side;
}

/// What is known of the grains of a cell: a gain, or why there is none. Later states say more.
struct Cell {
  enum class State { Unfit, NotTried, Excluded, Measured } state = State::Unfit;
  double gain = 0;
  std::string id; ///< of the grain that has it
  bool isMoreThan(const Cell &other) const {
    return std::tie(state, gain) > std::tie(other.state, other.gain);
  }
};

/// Returns what a measurement says; nothing if the candidate neither ran nor was to.
Cell cellOf(const Measurement &measurement) {
  Cell cell = {Cell::State::Unfit, 0, measurement.alternative};
  if (measurement.pairs > 0)
    cell = {Cell::State::Measured, measurement.gain.ratio, measurement.alternative};
  else if (measurement.outcome.starts_with("excluded"))
    cell.state = Cell::State::Excluded;
  else if (measurement.outcome.starts_with("not tried"))
    cell.state = Cell::State::NotTried;
  return cell;
}

/// The table of one class.
class HeatMap {
public:
  void add(const Cell &cell) {
    OrError<GrainSpec> spec = parseGrainSpec(cell.id);
    if (!spec)
      return; // of a version with other keys
    std::pair place(blockSide(spec->grain), threadSide(spec->grain));
    rows.insert(place.first);
    columns.insert(place.second);
    Cell &present = cells.try_emplace(place, cell).first->second;
    if (cell.isMoreThan(present))
      present = cell;
  }

  void write(std::ostream &out) const {
    size_t label = heading.size();
    for (const Side &row : rows)
      label = std::max(label, row.text.size());
    std::vector<Side> part;
    size_t width = 4 + label;
    for (const Side &column : columns) {
      size_t own = 2 + std::max(cellWidth, column.text.size() + 1);
      if (!part.empty() && width + own > lineWidth) {
        writePart(part, out);
        part.clear();
        width = 4 + label;
      }
      part.push_back(column);
      width += own;
    }
    writePart(part, out);
    if (const Cell *best = findBest())
      out << terminal::cut("    * the best: " + best->id, lineWidth) << '\n';
  }

private:
  void writePart(const std::vector<Side> &shown, std::ostream &out) const {
    std::vector<terminal::Column> headings = {{heading}};
    for (const Side &column : shown)
      headings.push_back({column.text + " ", /*isFigure=*/true});
    std::vector<terminal::Row> lines;
    for (const Side &row : rows) {
      terminal::Row &line = lines.emplace_back(terminal::Row{row.text});
      for (const Side &column : shown)
        line.push_back(textAt({row, column}, out));
    }
    for (const std::string &line : terminal::tableLines(headings, lines))
      out << "    " << line << '\n';
  }

  std::string textAt(const std::pair<Side, Side> &place, std::ostream &out) const {
    auto found = cells.find(place);
    if (found == cells.end())
      return "";
    const Cell &cell = found->second;
    switch (cell.state) {
    case Cell::State::Unfit:
      return "/ ";
    case Cell::State::NotTried:
      return "- ";
    case Cell::State::Excluded:
      return painted(out, Tone::Bad, "x") + " ";
    case Cell::State::Measured:
      break;
    }
    char gain[32];
    std::snprintf(gain, sizeof gain, "%.2f", cell.gain);
    Tone tone = cell.gain > leastGain       ? Tone::Good
                : cell.gain > 1 / leastGain ? Tone::Doubtful
                                            : Tone::Bad;
    return painted(out, tone, gain) + (&cell == findBest() ? "*" : " ");
  }

  /// Returns the cell with the largest gain over 1; null if there is none.
  const Cell *findBest() const {
    const Cell *best = nullptr;
    for (const auto &[place, cell] : cells)
      if (cell.gain > 1 && (!best || cell.gain > best->gain))
        best = &cell;
    return best;
  }

  const std::string heading = "block \\ thread";
  std::set<Side> rows, columns;
  std::map<std::pair<Side, Side>, Cell> cells;
};

} // namespace

void writeHeatMaps(const KernelEntries &kernel, std::ostream &out) {
  std::map<std::string, std::map<std::string, Cell>> classes; ///< the latest of each alternative
  for (const Measurement &measurement : kernel.measurements) {
    if (measurement.alternative == originalId || measurement.launchClass.empty() ||
        measurement.outcome == reviewedOutcome)
      continue;
    Cell cell = cellOf(measurement);
    auto [known, isNew] =
        classes[measurement.launchClass].try_emplace(measurement.alternative, cell);
    if (!isNew && (cell.state >= known->second.state || cell.state == Cell::State::Excluded))
      known->second = cell;
  }
  for (const auto &[launchClass, cells] : classes) {
    HeatMap map;
    for (const auto &[id, cell] : cells)
      map.add(cell);
    out << terminal::cut("  gains for " + launchClass, lineWidth) << '\n';
    map.write(out);
  }
  if (!classes.empty())
    out << "    1: no factor, c: neighbours (contiguous), x: excluded, /: does not fit,\n"
           "    -: not tried for lack of time, blank: no such grain, or it was refused\n";
}

} // namespace regrain::database
