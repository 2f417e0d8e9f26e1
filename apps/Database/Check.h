//===- Check.h - Whether a database is sound and fresh ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Database/Entries.h"

#include <iosfwd>
#include <map>

namespace regrain::database {

/// What entries are compared with.
struct Installation {
  std::string compiler;               ///< image::Image::producer of what this one compiles
  std::map<std::string, int> drivers; ///< of the devices that are here, by their model
};

/// This compiler, and the GPUs that the driver shows.
[[nodiscard]] Installation thisInstallation();

/// Why no run of what is compiled now uses what is known of the kernel; empty where it
/// may. What is measured on a device that is not here is not stale.
[[nodiscard]] std::string stalenessOf(const TunedKernel &kernel, const Installation &here);

struct CheckReport {
  DatabaseCondition condition;
  size_t choices = 0, exclusions = 0;
  struct Stale {
    std::string name, device, reason;
  };
  std::vector<Stale> stale;
};

[[nodiscard]] DatabaseError check(Database &database, const Installation &here, CheckReport &out);

void writeCheck(const CheckReport &report, std::ostream &out);
void writeCheckJson(const CheckReport &report, std::ostream &out);

} // namespace regrain::database
