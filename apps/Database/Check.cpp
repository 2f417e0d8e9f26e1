//===- Check.cpp - Soundness and freshness of a database ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Check.h"

#include "apps/Database/Listing.h"
#include "compiler/Choices/JsonFile.h"
#include "generated/producer.h"
#include "runtime/core/device.h"

#include <ostream>

namespace regrain::database {

Installation thisInstallation() {
  Installation here = {REGRAIN_PRODUCER, {}};
  for (const DevicePlugin *plugin : {&cudaPlugin(), &hipPlugin()}) {
    std::string reason; // without a GPU there is no device to compare with
    if (plugin->probe(reason) != cudaSuccess)
      continue;
    for (int ordinal = 0; ordinal < plugin->count(); ++ordinal) {
      std::unique_ptr<Device> device;
      cudaDeviceProp properties;
      if (plugin->open(ordinal, device, reason) == cudaSuccess &&
          device->properties(properties) == cudaSuccess)
        here.drivers[properties.name] = plugin->codeVersion();
    }
  }
  return here;
}

std::string stalenessOf(const TunedKernel &kernel, const Installation &here) {
  if (kernel.compiler != here.compiler)
    return "compiled by " + kernel.compiler + ", but this is " + here.compiler;
  if (kernel.generation.empty())
    return "measured with an older version of Regrain, which did not record how code was "
           "generated; tune again";
  auto driver = here.drivers.find(kernel.device);
  if (driver != here.drivers.end() && driver->second != kernel.driver)
    return "measured with driver " + driverText(kernel.driver) + ", but this machine has " +
           driverText(driver->second);
  return {};
}

OrError<CheckReport> check(Database &database, const Installation &here) {
  OrError<DatabaseCondition> condition = database.condition();
  if (!condition)
    return tl::unexpected(condition.error());
  OrError<Entries> entries = readEntries(database, "*");
  if (!entries)
    return tl::unexpected(entries.error());
  CheckReport report = {
      std::move(*condition), entries->choices.size(), entries->exclusions.size(), {}};
  for (const KernelEntries &group : groupByKernel(*entries))
    if (std::string reason = stalenessOf(group.kernel, here); !reason.empty())
      report.stale.push_back({group.name, group.kernel.device, reason});
  return report;
}

void writeCheck(const CheckReport &report, std::ostream &out) {
  const DatabaseCondition &condition = report.condition;
  out << "schema " << condition.schemaMajor << '.' << condition.schemaMinor
      << ", kernels: " << condition.kernels << ", choices: " << report.choices
      << ", exclusions: " << report.exclusions << ", measurements: " << condition.measurements
      << '\n';
  if (condition.underway)
    out << "candidates under way, or left by runs that were killed: " << condition.underway << '\n';
  for (const CheckReport::Stale &stale : report.stale)
    out << "stale, not used: " << stale.name << " on " << stale.device << ": " << stale.reason
        << '\n';
  if (condition.faults.empty())
    out << "sound\n";
}

void writeCheckJson(const CheckReport &report, std::ostream &out) {
  const DatabaseCondition &condition = report.condition;
  Json stale = Json::array();
  for (const CheckReport::Stale &each : report.stale)
    stale.push_back({{"name", each.name}, {"device", each.device}, {"reason", each.reason}});
  out << toText({{"regrain_tuning_check", "1.0"},
                 {"schema", {{"major", condition.schemaMajor}, {"minor", condition.schemaMinor}}},
                 {"kernels", condition.kernels},
                 {"choices", report.choices},
                 {"exclusions", report.exclusions},
                 {"measurements", condition.measurements},
                 {"underway", condition.underway},
                 {"faults", condition.faults},
                 {"stale", stale}});
}

} // namespace regrain::database
