//===- Listing.cpp - Tables of a database ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Listing.h"

#include "apps/Database/HeatMap.h"
#include "apps/Terminal/Colour.h"
#include "apps/Terminal/Table.h"
#include "compiler/Choices/JsonFile.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace regrain::database {
namespace {

using terminal::Column;
using terminal::painted;
using terminal::Row;
using terminal::Tone;

std::string fixed(double value) {
  char text[64];
  int size = std::snprintf(text, sizeof text, "%.2f", value);
  return std::string(text, std::min<size_t>(size, sizeof text - 1));
}

/// Returns the choice with the largest gain over the original; null if the original
/// stays.
const Choice *bestOf(const KernelEntries &kernel) {
  const Choice *best = nullptr;
  for (const Choice &choice : kernel.choices)
    if (choice.alternative != "original" && (!best || choice.gain.ratio > best->gain.ratio))
      best = &choice;
  return best;
}

size_t countImported(const KernelEntries &kernel) {
  return std::ranges::count(kernel.choices, true, &Choice::imported);
}

std::string noteOf(const KernelEntries &kernel) {
  std::string note;
  if (size_t imported = countImported(kernel))
    note = std::to_string(imported) + " imported";
  if (size_t excluded = kernel.exclusions.size())
    note += (note.empty() ? "" : ", ") + std::to_string(excluded) + " excluded";
  return note;
}

std::string timeOf(const std::string &when) { return when.empty() ? "" : " (" + when + ")"; }

Row rowOf(const Choice &choice) {
  return {choice.launchClass,
          choice.alternative,
          fixed(choice.originalMicroseconds),
          fixed(choice.chosenMicroseconds),
          fixed(choice.gain.ratio),
          fixed(choice.gain.low) + " to " + fixed(choice.gain.high),
          std::to_string(choice.launches)};
}

/// The verdicts are below the table, because sentences are long.
void writeVerdicts(const KernelEntries &kernel, std::ostream &out) {
  for (const Choice &choice : kernel.choices) {
    out << "  " << choice.launchClass << ": " << choice.alternative << ": " << choice.verdict;
    if (!choice.verified.empty())
      out << "; verified: " << choice.verified;
    if (choice.imported)
      out << "; imported, not verified here";
    out << timeOf(choice.when) << '\n';
  }
  for (const Exclusion &exclusion : kernel.exclusions)
    out << "  " << painted(out, Tone::Bad, "excluded") << " " << exclusion.alternative << ": "
        << exclusion.reason << timeOf(exclusion.when) << '\n';
}

} // namespace

std::string driverText(int driver) {
  return std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
}

void writeList(const std::vector<KernelEntries> &kernels, std::ostream &out) {
  const std::vector<Column> columns = {
      {"kernel"}, {"device"}, {"driver"}, {"classes", true}, {"best gain", true}, {"by"}, {"note"}};
  std::vector<Row> rows;
  for (const KernelEntries &kernel : kernels) {
    const Choice *best = bestOf(kernel);
    rows.push_back({kernel.name, kernel.kernel.device, driverText(kernel.kernel.driver),
                    std::to_string(kernel.choices.size()), best ? fixed(best->gain.ratio) : "-",
                    best ? best->alternative : "original", noteOf(kernel)});
  }
  terminal::writeTable(columns, rows, out);
}

void writeListJson(const std::vector<KernelEntries> &kernels, std::ostream &out) {
  Json list = Json::array();
  for (const KernelEntries &kernel : kernels) {
    const Choice *best = bestOf(kernel);
    list.push_back({{"name", kernel.name},
                    {"hash", kernel.kernel.hash},
                    {"generation", kernel.kernel.generation},
                    {"device", kernel.kernel.device},
                    {"multiprocessors", kernel.kernel.multiprocessors},
                    {"driver", kernel.kernel.driver},
                    {"compiler", kernel.kernel.compiler},
                    {"classes", kernel.choices.size()},
                    {"best_gain", best ? Json(best->gain.ratio) : Json()},
                    {"best_alternative", best ? Json(best->alternative) : Json()},
                    {"imported", countImported(kernel)},
                    {"excluded", kernel.exclusions.size()}});
  }
  out << toText({{"regrain_tuning_list", "1.1"}, {"kernels", list}});
}

void writeDetails(const std::vector<KernelEntries> &kernels, std::ostream &out) {
  const std::vector<Column> columns = {{"class"},           {"alternative"}, {"original us", true},
                                       {"chosen us", true}, {"gain", true},  {"95% interval"},
                                       {"launches", true}};
  for (const KernelEntries &kernel : kernels) {
    out << painted(out, Tone::Heading, kernel.name) << '\n'
        << "  on " << kernel.kernel.device << " with " << kernel.kernel.multiprocessors
        << " multiprocessors, driver " << driverText(kernel.kernel.driver) << "; compiled by "
        << kernel.kernel.compiler << "; hash " << kernel.kernel.hash << "; generated as "
        << kernel.kernel.generation << '\n';
    std::vector<Row> rows;
    for (const Choice &choice : kernel.choices)
      rows.push_back(rowOf(choice));
    if (!rows.empty())
      terminal::writeTable(columns, rows, out);
    writeHeatMaps(kernel, out);
    writeVerdicts(kernel, out);
    out << '\n';
  }
}

} // namespace regrain::database
