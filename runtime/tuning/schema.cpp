//===- schema.cpp - Tables of the tuning database -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/schema.h"

namespace regrain {
namespace {

constexpr int64_t applicationId = 0x5247524e; // "RGRN"

struct SchemaStep {
  SchemaVersion version;
  const char *sql;
};

/// Each step upgrades a file of the version before; the first begins with an empty
/// file. A kernel's name is part of its row, because kernels with the same code may
/// have different names; look-ups use the other columns.
constexpr SchemaStep steps[] = {
    {{1, 0}, R"(
CREATE TABLE kernels (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL, device TEXT NOT NULL, driver INTEGER NOT NULL, compiler TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (hash, device, driver, compiler, name)) STRICT;
CREATE INDEX kernels_by_name ON kernels (name);
CREATE TABLE choices (
  kernel INTEGER NOT NULL REFERENCES kernels, launch_class TEXT NOT NULL,
  alternative TEXT NOT NULL, verdict TEXT NOT NULL,
  original_us REAL NOT NULL, chosen_us REAL NOT NULL,
  gain REAL NOT NULL, gain_low REAL NOT NULL, gain_high REAL NOT NULL,
  launches INTEGER NOT NULL, verified TEXT NOT NULL, imported INTEGER NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (kernel, launch_class)) STRICT;
CREATE TABLE exclusions (
  kernel INTEGER NOT NULL REFERENCES kernels, alternative TEXT NOT NULL,
  reason TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (kernel, alternative)) STRICT;
CREATE TABLE measurements (
  id INTEGER PRIMARY KEY,
  kernel INTEGER NOT NULL REFERENCES kernels, launch_class TEXT NOT NULL,
  alternative TEXT NOT NULL, session TEXT NOT NULL, launch INTEGER NOT NULL,
  original_us REAL NOT NULL, candidate_us REAL NOT NULL,
  gain REAL NOT NULL, gain_low REAL NOT NULL, gain_high REAL NOT NULL,
  pairs INTEGER NOT NULL, outcome TEXT NOT NULL) STRICT;
CREATE INDEX measurements_by_session ON measurements (session);
CREATE INDEX measurements_by_kernel ON measurements (kernel);
CREATE TABLE underway (
  kernel INTEGER NOT NULL REFERENCES kernels, launch_class TEXT NOT NULL,
  alternative TEXT NOT NULL, session TEXT NOT NULL, process INTEGER NOT NULL,
  since_ms INTEGER NOT NULL, limit_ms INTEGER NOT NULL,
  PRIMARY KEY (session, process, kernel, launch_class, alternative)) STRICT;
)"},
    {{1, 1}, "ALTER TABLE measurements ADD COLUMN weight REAL NOT NULL DEFAULT 1;"},
    {{1, 2}, "ALTER TABLE measurements ADD COLUMN seconds REAL NOT NULL DEFAULT 0;"},
    {{1, 3},
     "ALTER TABLE measurements ADD COLUMN device_bytes INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE measurements ADD COLUMN host_bytes INTEGER NOT NULL DEFAULT 0;"},
    // Measurements from before this distinction of code and device become stale, and remain
    // visible.
    {{2, 0}, R"(
CREATE TABLE kernels_of_2 (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL, generation TEXT NOT NULL, device TEXT NOT NULL,
  multiprocessors INTEGER NOT NULL, driver INTEGER NOT NULL, compiler TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (hash, generation, device, multiprocessors, driver, compiler, name)) STRICT;
INSERT INTO kernels_of_2 SELECT id, hash, '', device, 0, driver, compiler, name FROM kernels;
DROP TABLE kernels;
ALTER TABLE kernels_of_2 RENAME TO kernels;
CREATE INDEX kernels_by_name ON kernels (name);
)"},
    {{2, 1}, "ALTER TABLE measurements ADD COLUMN blocks INTEGER NOT NULL DEFAULT 0;"},
    {{2, 2}, "ALTER TABLE choices ADD COLUMN launch TEXT NOT NULL DEFAULT '';"},
};

constexpr const char *probes[] = {
    "SELECT id, hash, generation, device, multiprocessors, driver, compiler, name FROM kernels",
    "SELECT kernel, launch_class, alternative, verdict, original_us, chosen_us, gain, gain_low, "
    "gain_high, launches, verified, imported, at, launch FROM choices",
    "SELECT kernel, alternative, reason, at FROM exclusions",
    "SELECT id, kernel, launch_class, alternative, session, launch, weight, original_us, "
    "candidate_us, gain, gain_low, gain_high, pairs, outcome, seconds, device_bytes, "
    "host_bytes, blocks FROM measurements",
    "SELECT kernel, launch_class, alternative, session, process, since_ms, limit_ms FROM underway",
};

constexpr int packed(SchemaVersion version) { return version.major * 65536 + version.minor; }

std::string toString(SchemaVersion version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

/// Returns the integer that the statement yields, 0 if it yields none.
OrCode<int64_t> readInteger(const Connection &connection, const char *sql) {
  Statement statement(connection, sql);
  int64_t value = statement.next() ? statement.integer() : 0;
  if (int code = statement.status())
    return tl::unexpected(code);
  return value;
}

FileKind kindOf(SchemaVersion version) {
  if (version.major > currentSchema.major)
    return FileKind::Newer;
  return version < currentSchema ? FileKind::Older : FileKind::Readable;
}

int runSteps(Connection &connection, SchemaVersion from) {
  for (const SchemaStep &step : steps)
    if (step.version > from)
      if (int code = connection.run(step.sql))
        return code;
  std::string marks = "PRAGMA application_id=" + std::to_string(applicationId) +
                      "; PRAGMA user_version=" + std::to_string(packed(currentSchema));
  return connection.run(marks.c_str());
}

} // namespace

const SchemaVersion currentSchema = std::end(steps)[-1].version;

/// The pragmas come first: they read no table's definition, which a newer major
/// version may write in syntax that this SQLite does not know.
static OrCode<FileIdentity> identifySnapshot(const Connection &connection) {
  OrCode<int64_t> application = readInteger(connection, "PRAGMA application_id");
  if (!application)
    return tl::unexpected(application.error());
  OrCode<int64_t> packedVersion = readInteger(connection, "PRAGMA user_version");
  if (!packedVersion)
    return tl::unexpected(packedVersion.error());
  SchemaVersion version = {static_cast<int>(*packedVersion / 65536),
                           static_cast<int>(*packedVersion % 65536)};
  if (*application == applicationId)
    return FileIdentity{kindOf(version), version};
  OrCode<int64_t> tables = readInteger(connection, "SELECT count(*) FROM sqlite_schema");
  if (!tables)
    return tl::unexpected(tables.error());
  bool isEmpty = *tables == 0 && *application == 0;
  return FileIdentity{isEmpty ? FileKind::Empty : FileKind::Foreign, version};
}

OrCode<FileIdentity> identify(Connection &connection) {
  if (int code = connection.run("SAVEPOINT identify"))
    return tl::unexpected(code);
  OrCode<FileIdentity> identity = identifySnapshot(connection);
  int released = connection.run("RELEASE identify");
  if (identity && released != SQLITE_OK)
    return tl::unexpected(released);
  return identity;
}

tl::unexpected<std::string> refusal(const Connection &connection, const FileIdentity &identity) {
  if (identity.kind == FileKind::Foreign)
    return connection.failure("the file belongs to another program and is left unchanged");
  return connection.failure("the file has schema " + toString(identity.version) +
                            ", of a newer version of Regrain; this version reads up to " +
                            toString(currentSchema) + " and leaves the file unchanged");
}

static OrCode<FileIdentity> bringForwardInTransaction(Connection &connection) {
  if (int code = connection.run("BEGIN IMMEDIATE"))
    return tl::unexpected(code);
  OrCode<FileIdentity> before = identify(connection);
  if (!before)
    return before;
  bool isEmpty = before->kind == FileKind::Empty;
  if (isEmpty || before->kind == FileKind::Older)
    if (int code = runSteps(connection, isEmpty ? SchemaVersion{} : before->version))
      return tl::unexpected(code);
  if (int code = connection.run("COMMIT"))
    return tl::unexpected(code);
  return before;
}

OrCode<FileIdentity> bringForward(Connection &connection) {
  OrCode<FileIdentity> before = bringForwardInTransaction(connection);
  if (!before && !sqlite3_get_autocommit(connection.get()))
    connection.run("ROLLBACK"); // the first code is the error; the journal undoes the changes
  return before;
}

int probe(const Connection &connection) {
  for (const char *sql : probes)
    if (int code = Statement(connection, sql).status())
      return code;
  return SQLITE_OK;
}

} // namespace regrain
