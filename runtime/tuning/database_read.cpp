//===- database_read.cpp - Queries of the database ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database_file.h"

namespace regrain {
namespace {

/// Selects rows `e` of the table, each with its kernel `k`.
std::string selectFrom(const char *table, const char *columns) {
  return std::string("SELECT k.hash, k.generation, k.device, k.multiprocessors, k.driver, "
                     "k.compiler, k.name, ") +
         columns + " FROM " + table + " e JOIN kernels k ON k.id = e.kernel ";
}

std::string selectChoices() {
  return selectFrom("choices",
                    "e.launch_class, e.alternative, e.verdict, e.original_us, e.chosen_us, e.gain, "
                    "e.gain_low, e.gain_high, e.launches, e.verified, e.imported, e.at, e.launch");
}

std::string selectExclusions() { return selectFrom("exclusions", "e.alternative, e.reason, e.at"); }

// Braced lists are evaluated from left to right, which is the order of the
// columns.

uint32_t countOf(Statement &row) { return static_cast<uint32_t>(row.integer()); }

TunedKernel kernelOf(Statement &row) {
  return {row.text(), row.text(), row.text(), countOf(row), static_cast<int>(row.integer()),
          row.text()};
}

Gain gainOf(Statement &row) { return {row.real(), row.real(), row.real()}; }

uint64_t bytesOf(Statement &row) { return static_cast<uint64_t>(row.integer()); }

std::string nameOf(Statement &row) { return row.text(); }

Choice choiceOf(Statement &row) {
  return {kernelOf(row),      row.text(), row.text(),  row.text(),   row.text(),
          row.real(),         row.real(), gainOf(row), countOf(row), row.text(),
          row.integer() != 0, row.text(), row.text()};
}

Exclusion exclusionOf(Statement &row) {
  return {kernelOf(row), row.text(), row.text(), row.text(), row.text()};
}

Measurement measurementOf(Statement &row) {
  return {kernelOf(row), row.text(),
          row.text(),    row.text(),
          row.text(),    countOf(row),
          row.real(),    row.real(),
          row.real(),    gainOf(row),
          countOf(row),  row.text(),
          row.real(),    {bytesOf(row), bytesOf(row)},
          bytesOf(row)};
}

Underway underwayOf(Statement &row) {
  return {kernelOf(row), row.text(),    row.text(),    row.text(),
          row.text(),    row.integer(), row.integer(), row.integer()};
}

} // namespace

template <typename Value, typename Body> OrError<Value> DatabaseFile::read(const Body &body) {
  // This check precedes the lock: a thread that held it may not exist in a
  // forked process.
  if (OrError<void> usable = checkProcess(); !usable)
    return tl::unexpected(usable.error());
  std::lock_guard lock(inUse);
  OrError<Value> found = body();
  if (found)
    Connection::noteReadable();
  else if (isRepeated(found.error()))
    return Value();
  return found;
}

template <typename Entry, typename... Values>
OrError<std::vector<Entry>> DatabaseFile::readAll(Entry (*entryOf)(Statement &),
                                                  const std::string &sql, const Values &...values) {
  using Entries = std::vector<Entry>;
  return read<Entries>([&]() -> OrError<Entries> {
    Entries entries;
    Statement statement(*connection, sql.c_str(), values...);
    while (statement.next())
      entries.push_back(entryOf(statement));
    if (int code = statement.status())
      return connection->failure(code);
    return entries;
  });
}

OrError<std::vector<Choice>> DatabaseFile::choices(const TunedKernel &kernel, bool withImported) {
  return readAll(choiceOf,
                 selectChoices() + std::string("WHERE") + Statement::sameKernel +
                     "AND (NOT e.imported OR ?) ORDER BY e.launch_class",
                 kernel, int64_t{withImported});
}

OrError<std::vector<Choice>> DatabaseFile::staleChoices(const TunedKernel &kernel,
                                                        const std::string &kernelName) {
  return readAll(choiceOf,
                 selectChoices() + std::string("WHERE k.name = ? AND NOT (") +
                     Statement::sameKernel + ") ORDER BY k.id, e.launch_class",
                 kernelName, kernel);
}

OrError<std::vector<Exclusion>> DatabaseFile::exclusions(const TunedKernel &kernel) {
  return readAll(exclusionOf,
                 selectExclusions() + std::string("WHERE") + Statement::sameKernel +
                     "ORDER BY e.alternative",
                 kernel);
}

OrError<std::vector<Underway>> DatabaseFile::underway(const std::string &session) {
  return readAll(underwayOf,
                 selectFrom("underway", "e.launch_class, e.alternative, e.session, e.process, "
                                        "e.since_ms, e.limit_ms") +
                     "WHERE e.session = ? ORDER BY e.since_ms",
                 session);
}

OrError<std::vector<std::string>> DatabaseFile::kernelNames() {
  return readAll(nameOf, "SELECT DISTINCT name FROM kernels ORDER BY name");
}

OrError<std::vector<Choice>> DatabaseFile::allChoices() {
  return readAll(choiceOf,
                 selectChoices() +
                     "ORDER BY k.name, k.device, k.multiprocessors, k.hash, k.generation, "
                     "k.compiler, k.driver, "
                     "e.launch_class");
}

OrError<std::vector<Exclusion>> DatabaseFile::allExclusions() {
  return readAll(exclusionOf,
                 selectExclusions() +
                     "ORDER BY k.name, k.device, k.multiprocessors, k.hash, k.generation, "
                     "k.compiler, k.driver, "
                     "e.alternative");
}

OrError<std::vector<std::string>> DatabaseFile::verified(const TunedKernel &kernel,
                                                         const std::string &launchClass) {
  return readAll(nameOf,
                 std::string("SELECT DISTINCT e.alternative FROM measurements e JOIN kernels k ON "
                             "k.id = e.kernel WHERE") +
                     Statement::sameKernel +
                     "AND e.launch_class = ? AND e.outcome IN ('timed', 'verified') "
                     "AND NOT EXISTS (SELECT * FROM exclusions x WHERE x.kernel = e.kernel AND "
                     "x.alternative = "
                     "e.alternative) ORDER BY e.alternative",
                 kernel, launchClass);
}

static std::string selectMeasurements() {
  return selectFrom("measurements",
                    "e.launch_class, e.alternative, e.session, e.launch, e.weight, "
                    "e.original_us, e.candidate_us, e.gain, e.gain_low, e.gain_high, "
                    "e.pairs, e.outcome, e.seconds, e.device_bytes, e.host_bytes, e.blocks");
}

OrError<std::vector<Measurement>> DatabaseFile::measurements(const std::string &session) {
  return readAll(measurementOf, selectMeasurements() + "WHERE e.session = ? ORDER BY e.id",
                 session);
}

OrError<std::vector<Measurement>> DatabaseFile::measurementsOf(const std::string &kernelName) {
  return readAll(measurementOf, selectMeasurements() + "WHERE k.name = ? ORDER BY e.id",
                 kernelName);
}

OrError<DatabaseCondition> DatabaseFile::condition() {
  return read<DatabaseCondition>([&]() -> OrError<DatabaseCondition> {
    DatabaseCondition found;
    found.schemaMajor = version.major;
    found.schemaMinor = version.minor;
    Statement counts(*connection, "SELECT (SELECT count(*) FROM kernels), "
                                  "(SELECT count(*) FROM measurements), "
                                  "(SELECT count(*) FROM underway)");
    if (counts.next()) {
      found.kernels = counts.integer();
      found.measurements = counts.integer();
      found.underway = counts.integer();
    }
    Statement check(*connection, "PRAGMA integrity_check");
    while (check.next())
      if (std::string fault = check.text(); fault != "ok")
        found.faults.push_back(std::move(fault));
    Statement orphans(*connection, "SELECT DISTINCT \"table\" FROM pragma_foreign_key_check");
    while (orphans.next())
      found.faults.push_back("the table '" + orphans.text() + "' names kernels that do not exist");
    for (const Statement *statement : {&counts, &check, &orphans})
      if (int code = statement->status())
        return connection->failure(code);
    return found;
  });
}

} // namespace regrain
