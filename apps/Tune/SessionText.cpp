//===- SessionText.cpp - A tuning run as a table --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Terminal/Colour.h"
#include "apps/Terminal/Table.h"
#include "apps/Tune/SessionReport.h"
#include "apps/Tune/Status.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

namespace regrain::tune {
namespace {

using terminal::Column;
using terminal::Row;

const std::vector<Column> allColumns = {
    {"kernel", false},   {"class", false},  {"original us", true}, {"best us", true},
    {"gain", false},     {"grain", false},  {"registers", true},   {"occupancy", true},
    {"verified", false}, {"verdict", false}};

std::string number(const char *format, double value) {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

std::string microseconds(double value) { return number(value < 1000 ? "%.2f" : "%.0f", value); }

/// Returns "32 -> 40": the figures of the original and of the choice, "?" where one is not known.
std::string change(const ClassReport &entry, int32_t Resources::*figure, const char *unit) {
  auto of = [&](const std::optional<Resources> &resources) {
    bool isKnown = resources && (*resources).*figure >= 0;
    return isKnown ? std::to_string((*resources).*figure) + unit : "?";
  };
  std::string before = of(entry.original), after = of(entry.chosen);
  if (before == "?" && after == "?")
    return "";
  return entry.choice.alternative == "original" ? before : before + " -> " + after;
}

/// Names kernels as shortly as tells those of the report apart.
class KernelNames {
public:
  explicit KernelNames(const SessionReport &report) {
    for (const ClassReport &entry : report.classes)
      add(entry.choice.kernelName);
    for (const NotTuned &entry : report.notTuned)
      add(entry.kernelName);
    for (const NotTried &entry : report.notTried)
      add(entry.kernelName);
    for (const Exclusion &entry : report.exclusions)
      add(entry.kernelName);
  }
  std::string of(const std::string &kernelName) const {
    if (byShort.at(shortName(kernelName)).size() == 1)
      return shortName(kernelName);
    std::string instance = instanceName(kernelName);
    return byInstance.at(instance).size() == 1 ? instance : kernelName;
  }
  std::string of(const std::string &kernelName, const std::string &launchClass) const {
    return of(kernelName) + (launchClass.empty() ? "" : " " + shortClass(launchClass));
  }

private:
  void add(const std::string &kernelName) {
    byShort[shortName(kernelName)].insert(kernelName);
    byInstance[instanceName(kernelName)].insert(kernelName);
  }
  std::map<std::string, std::set<std::string>> byShort, byInstance; ///< whole names
};

Row rowOf(const ClassReport &entry, const KernelNames &names, const std::ostream &out) {
  const Choice &choice = entry.choice;
  bool isOriginal = choice.alternative == "original";
  std::string verdict = choice.verdict;
  if (isOriginal && !verdict.starts_with("kept the original"))
    verdict = "kept the original: " + verdict;
  if (entry.measurements.empty())
    verdict = "chosen on " + choice.when + ": " + verdict;
  return {names.of(choice.kernelName),
          shortClass(choice.launchClass),
          microseconds(choice.originalMicroseconds),
          microseconds(isOriginal ? choice.originalMicroseconds : choice.chosenMicroseconds),
          isOriginal ? "-"
                     : number("%.3f", choice.gain.ratio) + " (" + number("%.3f", choice.gain.low) +
                           " to " + number("%.3f", choice.gain.high) + ")",
          choice.alternative,
          change(entry, &Resources::registers, ""),
          change(entry, &Resources::occupancyPercent, "%"),
          choice.verified,
          isOriginal ? verdict : painted(out, terminal::Tone::Good, verdict)};
}

/// Columns that are empty in all rows are omitted.
void writeRows(std::vector<Row> rows, std::ostream &out) {
  std::vector<Column> columns = allColumns;
  for (size_t i = columns.size(); i-- > 0;) {
    auto column = static_cast<ptrdiff_t>(i);
    if (std::ranges::any_of(rows, [&](const Row &row) { return !row[i].empty(); }))
      continue;
    columns.erase(columns.begin() + column);
    for (Row &row : rows)
      row.erase(row.begin() + column);
  }
  terminal::writeTable(columns, rows, out);
}

std::string counted(size_t count, const std::string &noun) {
  std::string plural = noun.ends_with('s') ? noun + "es" : noun + "s";
  return std::to_string(count) + " " + (count == 1 ? noun : plural);
}

void writeSummary(const SessionReport &report, std::ostream &out) {
  std::set<std::string> kernels;
  for (const ClassReport &entry : report.classes)
    kernels.insert(entry.choice.kernelName + entry.choice.kernel.hash);
  out << counted(kernels.size(), "kernel") << ", " << counted(report.classes.size(), "class")
      << " of launches, " << secondsText(report.outcome.seconds);
}

/// Returns the maximum of device and host memory that tuning used, if it used any.
std::string peakText(const CopyBytes &peak) {
  auto mib = [](uint64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; };
  std::string text;
  if (peak.device)
    text = mib(peak.device) + " on the device";
  if (peak.host)
    text += (text.empty() ? "" : " and ") + mib(peak.host) + " on the host";
  return text.empty() ? "" : "; copies took " + text;
}

/// Returns the first of the candidates, and how many others there are.
std::string listText(const std::vector<std::string> &alternatives) {
  constexpr size_t most = 6;
  std::string text;
  for (size_t i = 0; i < std::min(most, alternatives.size()); ++i)
    text += (i ? ", " : "") + alternatives[i];
  size_t others = alternatives.size() - std::min(most, alternatives.size());
  return others ? text + " and " + std::to_string(others) + " more" : text;
}

/// Classes beyond these are counted; the JSON has all.
constexpr size_t mostOfReason = 3, mostNotTried = 8;

void writeNotTuned(const SessionReport &report, const KernelNames &names, std::ostream &out) {
  if (!report.notTuned.empty())
    out << "not tuned, the original runs:\n";
  std::map<std::string, size_t> written, skipped; // by the reason
  for (const NotTuned &entry : report.notTuned)
    if (++written[entry.reason] <= mostOfReason)
      out << "  " << names.of(entry.kernelName, entry.launchClass) << ": " << entry.reason << '\n';
    else
      ++skipped[entry.reason];
  for (const auto &[reason, count] : skipped)
    out << "  and " << counted(count, "other class") << ": " << reason << '\n';
}

void writeNotTried(const SessionReport &report, const KernelNames &names, std::ostream &out) {
  if (!report.notTried.empty())
    out << "not tried, because the budget did not suffice:\n";
  double budget = 0;
  for (size_t i = 0; i < report.notTried.size(); ++i) {
    const NotTried &entry = report.notTried[i];
    budget = std::max(budget, entry.budgetForAll);
    if (i < mostNotTried)
      out << "  " << names.of(entry.kernelName, entry.launchClass) << ": "
          << listText(entry.alternatives) << "; --budget " << int64_t(entry.budgetForAll)
          << " would try all\n";
  }
  if (report.notTried.size() > mostNotTried)
    out << "  and in " << counted(report.notTried.size() - mostNotTried, "other class")
        << "; --budget " << int64_t(budget) << " would try all of all classes\n";
}

} // namespace

void writeTable(const SessionReport &report, std::ostream &out) {
  KernelNames names(report);
  out << "regrain tune: ";
  if (report.classes.empty())
    out << "nothing was tuned: " << report.nothing;
  else
    writeSummary(report, out);
  if (report.outcome.restarts > 0)
    out << ", started again " << counted(report.outcome.restarts, "time");
  out << peakText(report.peak) << '\n';
  if (!report.classes.empty()) {
    std::vector<Row> rows;
    for (const ClassReport &entry : report.classes)
      rows.push_back(rowOf(entry, names, out));
    writeRows(std::move(rows), out);
  }
  if (!report.outcome.gaveUp.empty())
    out << "tuning stopped: " << report.outcome.gaveUp
        << "; the program then ran with the choices made so far\n";
  writeNotTuned(report, names, out);
  writeNotTried(report, names, out);
  if (!report.outcome.notReviewed.empty())
    out << "not compared with the original in whole runs of the program, "
        << counted(report.outcome.reviewed, "choice") << ": " << report.outcome.notReviewed << '\n';
  if (!report.exclusions.empty())
    out << painted(out, terminal::Tone::Bad, "excluded")
        << " from later runs, too ('regrain db forget --excluded GLOB' allows them "
           "again):\n";
  for (const Exclusion &entry : report.exclusions)
    out << "  " << names.of(entry.kernelName) << " at " << entry.alternative << ": " << entry.reason
        << '\n';
}

} // namespace regrain::tune
