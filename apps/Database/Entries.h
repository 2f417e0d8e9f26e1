//===- Entries.h - Choices and exclusions of a database ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <optional>

namespace regrain::database {

/// What goes from one database to another.
struct Entries {
  std::vector<Choice> choices;
  std::vector<Exclusion> exclusions;
};

/// Those of the kernels whose names match `glob`.
[[nodiscard]] DatabaseError readEntries(Database &from, const std::string &glob, Entries &out);

/// What is known of one version of a kernel, on one device.
struct KernelEntries {
  std::string name; ///< demangled
  TunedKernel kernel;
  std::vector<Choice> choices;       ///< by class
  std::vector<Exclusion> exclusions; ///< by alternative
};

/// Sorted by name, device, hash, compiler and driver.
[[nodiscard]] std::vector<KernelEntries> groupByKernel(const Entries &entries);

/// JSON as docs/tuning-database.md describes it.
[[nodiscard]] std::string toJson(const Entries &entries);

/// Reads what toJson gives. On failure `error` is one sentence that begins with the
/// path, which is for messages alone, and names the line or the key at fault.
[[nodiscard]] std::optional<Entries> parseEntries(const std::string &text, const std::string &path,
                                                  std::string &error);

/// What became of entries.
struct Taken {
  size_t choices = 0, exclusions = 0; ///< taken over
  size_t kept = 0;                    ///< what stands here is at least as well founded
  size_t excluded = 0;                ///< choices of what is excluded, here or there
};

/// Takes every exclusion, and each choice that is better founded than the one that
/// stands here: verified on this installation before imported, then more launches,
/// then newer. One transaction.
[[nodiscard]] DatabaseError merge(Database &into, const Entries &entries, Taken &taken);

/// Takes every exclusion, and each choice where none verified here stands, marked as
/// imported. One transaction.
[[nodiscard]] DatabaseError import(Database &into, const Entries &entries, Taken &taken);

} // namespace regrain::database
