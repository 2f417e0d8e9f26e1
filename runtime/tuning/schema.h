//===- schema.h - Tables of the tuning database -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file's header says whose it is (application_id) and which schema it has
// (user_version, major * 65536 + minor). A minor version adds tables, indexes and
// columns with a default, so that an older program can read and write the file;
// anything else raises the major.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/connection.h"

namespace regrain {

struct SchemaVersion {
  int major = 0, minor = 0;
  friend auto operator<=>(const SchemaVersion &, const SchemaVersion &) = default;
};

/// What this program writes.
extern const SchemaVersion currentSchema;

enum class FileKind : uint8_t {
  Empty,   ///< no tables, nobody's
  Foreign, ///< somebody else's SQLite database
  Newer,   ///< of a newer major schema
  Older,   ///< bringForward() is needed
  Readable,
};

struct FileIdentity {
  FileKind kind = FileKind::Empty;
  SchemaVersion version;
};

/// Gives SQLite's result code.
int identify(Connection &connection, FileIdentity &out);

/// What to say of a file that is Foreign or Newer.
DatabaseError refusal(const Connection &connection, const FileIdentity &identity);

/// Makes an Empty or Older file Readable, in one transaction; another process may have
/// done so before. `before` is what the file was. Gives SQLite's result code.
int bringForward(Connection &connection, FileIdentity &before);

/// Whether all tables and columns of the current schema are there.
int probe(const Connection &connection);

} // namespace regrain
