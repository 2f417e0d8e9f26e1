//===- TrafficText.cpp - Traffic as tables --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Report/TrafficText.h"

#include "apps/Terminal/Table.h"
#include "runtime/image/grain.h"

#include <algorithm>
#include <ostream>

namespace regrain::report {
namespace {

using terminal::Column;
using terminal::Row;

std::string kindOf(const Traffic &traffic) {
  return traffic.reads && traffic.writes ? "update" : traffic.reads ? "load" : "store";
}

/// Returns the quotient with two digits behind the point.
std::string ratio(uint64_t asked, uint64_t touched) {
  if (touched == 0)
    return "-";
  uint64_t hundredths = (asked * 100 + touched / 2) / touched;
  std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (digits.size() < 2 ? ".0" : ".") + digits;
}

void addFigures(uint64_t asked, std::optional<uint64_t> touched, Row &row) {
  row.push_back(std::to_string(asked));
  row.push_back(touched ? std::to_string(*touched) : "unknown");
  row.push_back(touched ? ratio(asked, *touched) : "unknown");
}

std::vector<Row> rowsOf(const std::vector<Traffic> &all) {
  std::vector<Row> rows;
  uint64_t asked = 0;
  std::optional<uint64_t> touched = 0;
  for (const Traffic &traffic : all) {
    Row &row = rows.emplace_back(
        Row{traffic.memory, kindOf(traffic), std::to_string(traffic.places), traffic.perThread});
    addFigures(traffic.asked, traffic.touched, row);
    asked += traffic.asked;
    touched =
        touched && traffic.touched ? std::optional(*touched + *traffic.touched) : std::nullopt;
  }
  addFigures(asked, touched, rows.emplace_back(Row{"in all", "", "", ""}));
  return rows;
}

/// Says of which accesses the address is not known, once for each line of the source.
void writeUnknown(const Footprint &footprint, std::ostream &out) {
  std::vector<std::string> told;
  for (const AccessFootprint &access : footprint.accesses) {
    if (access.unknown.empty())
      continue;
    std::string where = toString(SourcePosition{access.file, access.line});
    std::string line = (where.empty() ? "" : where + ": ") + access.memory + ": unknown, because " +
                       access.unknown;
    if (std::ranges::find(told, line) != told.end())
      continue;
    told.push_back(line);
    out << "  " << line << '\n';
  }
}

/// Says "12 + 8*n1 on 32 bits, and 1 call of exp".
void writeArithmetic(const std::vector<Arithmetic> &all, std::ostream &out) {
  std::string words;
  for (const Arithmetic &each : all) {
    words += (words.empty() ? "" : ", ") + each.perThread;
    if (!each.function.empty())
      words += " of " + each.function + ", whose own are not counted";
    else if (each.bits)
      words += " on " + std::to_string(each.bits) + " bits";
  }
  out << "  floating-point operations of a thread: " << (words.empty() ? "none" : words) << '\n';
}

template <typename Part>
bool hasOpenLoop(const std::vector<Part> &parts, const LaunchSetting &setting) {
  return std::ranges::any_of(parts, [&](const Part &part) {
    return std::ranges::any_of(part.loops, [&](const FootprintLoop &loop) {
      return loop.number != 0 && !setting.tripsOfLoops.contains(loop.number);
    });
  });
}

void writeSetting(const Footprint &footprint, const LaunchSetting &setting, std::ostream &out) {
  out << "  for a block of " << setting.block[0] << 'x' << setting.block[1] << 'x'
      << setting.block[2] << " threads";
  const std::vector<ArithmeticFootprint> arithmetic =
      footprint.arithmetic.value_or(std::vector<ArithmeticFootprint>());
  if (hasOpenLoop(footprint.accesses, setting) || hasOpenLoop(arithmetic, setting))
    out << ", and " << setting.trips << " trips of each loop of unknown length (n1, n2, ...)";
  out << '\n';
  if (std::ranges::any_of(footprint.accesses, &AccessFootprint::isConditional) ||
      std::ranges::any_of(arithmetic, &ArithmeticFootprint::isConditional))
    out << "  conditions count as if they held\n";
}

KernelTraffic trafficFor(const KernelReport &kernel, const LaunchOptions &options) {
  OrError<GrainSpec> spec = parseGrainSpec(options.launch);
  KnownLaunch launch = spec ? spec->grain.known : KnownLaunch();
  LaunchSetting setting;
  setting.trips = options.trips.value_or(setting.trips);
  setting.isGiven = options.trips.has_value();
  if (options.block || launch.block)
    setting.block = options.block ? *options.block : *launch.block;
  else if (std::ranges::count(kernel.footprint->block, 0u) == 0)
    setting.block = kernel.footprint->block;
  else if (kernel.maxThreads)
    setting.block = {kernel.maxThreads, 1, 1};
  addTrips(kernel.footprint->trips, launch.arguments, setting);
  KernelTraffic traffic = {options.launch, setting, trafficOf(*kernel.footprint, setting)};
  if (kernel.footprint->arithmetic)
    traffic.arithmetic = arithmeticOf(*kernel.footprint->arithmetic, setting);
  return traffic;
}

} // namespace

void addTraffic(FileReport &report, const LaunchOptions &options) {
  for (ImageReport &image : report.images)
    for (KernelReport &kernel : image.kernels)
      if (kernel.footprint)
        kernel.traffic = trafficFor(kernel, options);
}

void addTrafficOfLaunches(FileReport &report, const LaunchesOfKernels &launches) {
  for (ImageReport &image : report.images)
    for (KernelReport &kernel : image.kernels)
      if (auto known = launches.find(kernel.hash); kernel.footprint && known != launches.end())
        for (const std::string &launch : known->second)
          if (parseGrainSpec(launch))
            kernel.trafficOfLaunches.push_back(
                trafficFor(kernel, {std::nullopt, std::nullopt, launch}));
}

void writeTraffic(const FileReport &report, std::ostream &out) {
  const std::vector<Column> columns = {
      {"memory"},      {"access"},        {"places", true},       {"bytes/thread"},
      {"asked", true}, {"touched", true}, {"asked/touched", true}};
  for (const ImageReport &image : report.images)
    for (const KernelReport &kernel : image.kernels) {
      out << kernel.name << ": ";
      if (!kernel.traffic) {
        out << "unknown, because no grain was requested or possible; --alternatives=N requests "
               "some, and 'regrain explain' says what is possible\n\n";
        continue;
      }
      out << "bytes of global memory that the original asks for, and touches in sectors of "
          << sectorBytes << " bytes\n";
      writeSetting(*kernel.footprint, kernel.traffic->setting, out);
      terminal::writeTable(columns, rowsOf(kernel.traffic->memories), out);
      writeUnknown(*kernel.footprint, out);
      if (kernel.traffic->arithmetic)
        writeArithmetic(*kernel.traffic->arithmetic, out);
      out << '\n';
    }
}

} // namespace regrain::report
