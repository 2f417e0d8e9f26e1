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

/// Tells a file from what another process may have made of it.
struct Fingerprint {
  int64_t bytes = -1, seconds = 0, nanoseconds = 0; ///< of the last change
  std::array<char, 100> header = {};                ///< SQLite's, with its count of changes
  friend bool operator==(const Fingerprint &, const Fingerprint &) = default;
};

[[nodiscard]] Fingerprint fingerprintOf(const Connection &connection);

/// Copies the damaged file that `connection` has open to NAME.damaged-N, N the first
/// that is free, with its journal, empties it, and gives the new name. Nothing where the
/// file is no longer what it was at `before`: another process has set it aside, or
/// written to it. The connection is of no use afterwards.
std::string setAside(Connection &connection, const Fingerprint &before, DatabaseError &error);

} // namespace regrain
