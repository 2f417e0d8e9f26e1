//===- schema.h - Tables of the tuning database -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file's header has its owner (application_id) and its schema (user_version,
// major * 65536 + minor). A minor version adds tables, indexes and columns with a
// default, so that an older program can read and write the file; any other change
// raises the major version.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/connection.h"

namespace regrain {

struct SchemaVersion {
  int major = 0, minor = 0;
  friend auto operator<=>(const SchemaVersion &, const SchemaVersion &) = default;
};

/// The schema that this program writes.
extern const SchemaVersion currentSchema;

enum class FileKind : uint8_t {
  Empty,   ///< no tables and no owner
  Foreign, ///< another program's SQLite database
  Newer,   ///< of a newer major schema
  Older,   ///< bringForward() is needed
  Readable,
};

struct FileIdentity {
  FileKind kind = FileKind::Empty;
  SchemaVersion version;
};

[[nodiscard]] OrCode<FileIdentity> identify(Connection &connection);

/// Returns the error for a file that is Foreign or Newer.
[[nodiscard]] tl::unexpected<std::string> refusal(const Connection &connection,
                                                  const FileIdentity &identity);

/// Makes an Empty or Older file Readable, in one transaction; another process may have
/// done so before. Returns the earlier state of the file.
[[nodiscard]] OrCode<FileIdentity> bringForward(Connection &connection);

/// Checks whether all tables and columns of the current schema exist.
int probe(const Connection &connection);

} // namespace regrain
