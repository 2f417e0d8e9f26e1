//===- set_aside.h - Moving a damaged file out of the way -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/connection.h"

#include <array>

namespace regrain {

/// Identifies a file's contents, to detect changes by other processes.
struct Fingerprint {
  int64_t bytes = -1, seconds = 0, nanoseconds = 0; ///< of the last change
  std::array<char, 100> header = {};                ///< SQLite's header, with its count of changes
  friend bool operator==(const Fingerprint &, const Fingerprint &) = default;
};

[[nodiscard]] Fingerprint fingerprintOf(const Connection &connection);

/// Copies the damaged file that `connection` has open to NAME.damaged-N, with N the
/// first free number, together with its journal, empties it, and returns the new name.
/// Returns an empty name if the file differs from its state at `before`: another process has
/// set it aside, or written to it. The connection cannot be used afterwards.
[[nodiscard]] OrError<std::string> setAside(Connection &connection, const Fingerprint &before);

} // namespace regrain
