//===- Check.h - Soundness and freshness of a database ----------*- C++ -*-===//
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

/// The installation with which entries are compared.
struct Installation {
  std::string compiler;               ///< image::Image::producer of its compiler
  std::map<std::string, int> drivers; ///< of the present devices, by their model
};

/// Returns this compiler, and the GPUs that the driver reports.
[[nodiscard]] Installation thisInstallation();

/// Returns why no run of newly compiled code uses the entries of the kernel; empty if
/// one may. Measurements on a device that is not present are not stale.
[[nodiscard]] std::string stalenessOf(const TunedKernel &kernel, const Installation &here);

struct CheckReport {
  DatabaseCondition condition;
  size_t choices = 0, exclusions = 0;
  struct Stale {
    std::string name, device, reason;
  };
  std::vector<Stale> stale;
};

[[nodiscard]] OrError<CheckReport> check(Database &database, const Installation &here);

void writeCheck(const CheckReport &report, std::ostream &out);
void writeCheckJson(const CheckReport &report, std::ostream &out);

} // namespace regrain::database
