//===- Entries.h - Choices and exclusions of a database ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

namespace regrain::database {

/// The entries that are transferred from one database to another.
struct Entries {
  std::vector<Choice> choices;
  std::vector<Exclusion> exclusions;
};

/// Reads the entries of the kernels whose names match `glob`.
[[nodiscard]] OrError<Entries> readEntries(Database &from, const std::string &glob);

/// The entries of one version of a kernel, on one device.
struct KernelEntries {
  std::string name; ///< demangled
  TunedKernel kernel;
  std::vector<Choice> choices;                ///< by class
  std::vector<Exclusion> exclusions;          ///< by alternative
  std::vector<Measurement> measurements = {}; ///< only on request, oldest first
};

/// Adds the measurements that are kept of the kernels.
[[nodiscard]] OrError<void> readMeasurements(Database &from, std::vector<KernelEntries> &kernels);

/// Groups the entries by kernel, with the measurements of the last session that measured each
/// alternative for a class.
[[nodiscard]] OrError<std::vector<KernelEntries>> withLatestMeasurements(Database &from,
                                                                         const Entries &entries);

/// Returns the entries by kernel, sorted by name, device, hash, compiler and
/// driver.
[[nodiscard]] std::vector<KernelEntries> groupByKernel(const Entries &entries);

/// Returns JSON as in docs/tuning-database.md.
[[nodiscard]] std::string toJson(const std::vector<KernelEntries> &kernels);

/// Parses the result of toJson, without the measurements: what was timed elsewhere shows nothing
/// about this installation. The error begins with the path, which is only for
/// messages, and names the line or the key at fault.
[[nodiscard]] OrError<Entries> parseEntries(const std::string &text, const std::string &path);

/// The outcome for the entries.
struct Taken {
  size_t choices = 0, exclusions = 0; ///< number of entries taken
  size_t kept = 0;                    ///< the present choice has at least as good evidence
  size_t excluded = 0;                ///< choices of alternatives that are excluded, here or there
};

/// Takes every exclusion, and each choice with better evidence than the present
/// one: verified on this installation before imported, then more launches, then
/// newer. This is one transaction.
[[nodiscard]] OrError<Taken> merge(Database &into, const Entries &entries);

/// Takes every exclusion, and marks as imported each choice for which there is no
/// choice verified here. This is one transaction.
[[nodiscard]] OrError<Taken> import(Database &into, const Entries &entries);

} // namespace regrain::database
