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
};

constexpr const char *probes[] = {
    "SELECT id, hash, generation, device, multiprocessors, driver, compiler, name FROM kernels",
    "SELECT kernel, launch_class, alternative, verdict, original_us, chosen_us, gain, gain_low, "
    "gain_high, launches, verified, imported, at FROM choices",
    "SELECT kernel, alternative, reason, at FROM exclusions",
    "SELECT id, kernel, launch_class, alternative, session, launch, weight, original_us, "
    "candidate_us, gain, gain_low, gain_high, pairs, outcome, seconds, device_bytes, "
    "host_bytes FROM measurements",
    "SELECT kernel, launch_class, alternative, session, process, since_ms, limit_ms FROM underway",
};

constexpr int packed(SchemaVersion version) { return version.major * 65536 + version.minor; }

std::string toString(SchemaVersion version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

int readInteger(const Connection &connection, const char *sql, int64_t &out) {
  Statement statement(connection, sql);
  if (statement.next())
    out = statement.integer();
  return statement.status();
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
static int identifySnapshot(const Connection &connection, FileIdentity &out) {
  int64_t application = 0, version = 0, tables = 0;
  if (int code = readInteger(connection, "PRAGMA application_id", application))
    return code;
  if (int code = readInteger(connection, "PRAGMA user_version", version))
    return code;
  out.version = {static_cast<int>(version / 65536), static_cast<int>(version % 65536)};
  out.kind = kindOf(out.version);
  if (application == applicationId)
    return SQLITE_OK;
  int code = readInteger(connection, "SELECT count(*) FROM sqlite_schema", tables);
  out.kind = tables == 0 && application == 0 ? FileKind::Empty : FileKind::Foreign;
  return code;
}

int identify(Connection &connection, FileIdentity &out) {
  if (int code = connection.run("SAVEPOINT identify"))
    return code;
  int code = identifySnapshot(connection, out);
  int released = connection.run("RELEASE identify");
  return code == SQLITE_OK ? released : code;
}

DatabaseError refusal(const Connection &connection, const FileIdentity &identity) {
  if (identity.kind == FileKind::Foreign)
    return connection.failure("the file is another program's; it is left as it is");
  return connection.failure("the file has schema " + toString(identity.version) +
                            ", of a newer version of Regrain; this one reads up to " +
                            toString(currentSchema) + " and leaves it as it is");
}

int bringForward(Connection &connection, FileIdentity &before) {
  int code = connection.run("BEGIN IMMEDIATE");
  if (code == SQLITE_OK)
    code = identify(connection, before);
  bool isNeeded = before.kind == FileKind::Empty || before.kind == FileKind::Older;
  if (code == SQLITE_OK && isNeeded)
    code = runSteps(connection, before.kind == FileKind::Empty ? SchemaVersion{} : before.version);
  if (code == SQLITE_OK)
    code = connection.run("COMMIT");
  if (code != SQLITE_OK && !sqlite3_get_autocommit(connection.get()))
    connection.run("ROLLBACK"); // `code` is the error; the journal undoes the changes
  return code;
}

int probe(const Connection &connection) {
  for (const char *sql : probes)
    if (int code = Statement(connection, sql).status())
      return code;
  return SQLITE_OK;
}

} // namespace regrain
