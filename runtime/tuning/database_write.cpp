//===- database_write.cpp - Changes of the database -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/database_file.h"

namespace regrain {
namespace {

/// Drops the rows of `table` that belong to the kernel, whatever its name, and have
/// that value in `column`.
int dropOfKernel(const Connection &connection, const char *table, const char *column,
                 const TunedKernel &kernel, const std::string &value) {
  std::string sql = std::string("DELETE FROM ") + table + " WHERE " + column +
                    " = ? AND kernel IN (SELECT k.id FROM kernels k WHERE" + Statement::sameKernel +
                    ")";
  return Statement(connection, sql.c_str(), value, kernel).finish();
}

/// Returns the reason why the alternative is excluded; empty if it is not.
OrCode<std::string> findExclusion(const Connection &connection, const TunedKernel &kernel,
                                  const std::string &alternative) {
  std::string sql = std::string("SELECT e.reason FROM exclusions e JOIN kernels k ON "
                                "k.id = e.kernel WHERE") +
                    Statement::sameKernel + "AND e.alternative = ?";
  Statement found(connection, sql.c_str(), kernel, alternative);
  std::string reason = found.next() ? "it is excluded: " + found.text() : std::string();
  if (int code = found.status())
    return tl::unexpected(code);
  return reason;
}

/// Drops the kernels that no other row refers to.
constexpr const char *dropUnusedKernels =
    "DELETE FROM kernels WHERE id NOT IN (SELECT kernel FROM choices) AND id NOT IN (SELECT "
    "kernel FROM exclusions) AND id NOT IN (SELECT kernel FROM measurements) AND id NOT IN "
    "(SELECT kernel FROM underway)";

} // namespace

/// Returns the kernel's row, which is inserted if it is missing.
OrCode<int64_t> DatabaseFile::kernelRow(const TunedKernel &kernel, const std::string &name) {
  Statement insert(*connection,
                   "INSERT INTO kernels (hash, generation, device, multiprocessors, driver, "
                   "compiler, name) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                   kernel, name);
  if (int code = insert.finish())
    return tl::unexpected(code);
  std::string sql =
      std::string("SELECT k.id FROM kernels k WHERE") + Statement::sameKernel + "AND k.name = ?";
  Statement select(*connection, sql.c_str(), kernel, name);
  int64_t row = select.next() ? select.integer() : 0;
  if (int code = select.status())
    return tl::unexpected(code);
  return row;
}

int DatabaseFile::replace(const Choice &choice) {
  if (int code =
          dropOfKernel(*connection, "choices", "launch_class", choice.kernel, choice.launchClass))
    return code;
  OrCode<int64_t> row = kernelRow(choice.kernel, choice.kernelName);
  if (!row)
    return row.error();
  return Statement(
             *connection,
             "INSERT INTO choices (kernel, launch_class, alternative, verdict, original_us, "
             "chosen_us, gain, gain_low, gain_high, launches, verified, imported, at, launch) "
             "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
             "coalesce(nullif(?, ''), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), ?)",
             *row, choice.launchClass, choice.alternative, choice.verdict,
             choice.originalMicroseconds, choice.chosenMicroseconds, choice.gain.ratio,
             choice.gain.low, choice.gain.high, int64_t{choice.launches}, choice.verified,
             int64_t{choice.imported}, choice.when, choice.launch)
      .finish();
}

OrError<void> DatabaseFile::put(const Choice &choice) {
  return change([&]() -> OrError<void> {
    OrCode<std::string> reason = findExclusion(*connection, choice.kernel, choice.alternative);
    if (!reason)
      return connection->failure(reason.error());
    if (!reason->empty())
      return connection->failure("'" + choice.alternative + "' cannot be chosen for '" +
                                 choice.kernelName + "': " + *reason);
    return connection->outcome(replace(choice));
  });
}

int DatabaseFile::replace(const Exclusion &exclusion) {
  for (const char *table : {"choices", "exclusions"})
    if (int code = dropOfKernel(*connection, table, "alternative", exclusion.kernel,
                                exclusion.alternative))
      return code;
  OrCode<int64_t> row = kernelRow(exclusion.kernel, exclusion.kernelName);
  if (!row)
    return row.error();
  return Statement(*connection,
                   "INSERT INTO exclusions (kernel, alternative, reason, at) VALUES (?, ?, ?, "
                   "coalesce(nullif(?, ''), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))",
                   *row, exclusion.alternative, exclusion.reason, exclusion.when)
      .finish();
}

OrError<void> DatabaseFile::put(const Exclusion &exclusion) {
  return change([&] { return connection->outcome(replace(exclusion)); });
}

OrError<void> DatabaseFile::add(const Measurement &measurement) {
  return change([&]() -> OrError<void> {
    OrCode<int64_t> row = kernelRow(measurement.kernel, measurement.kernelName);
    if (!row)
      return connection->failure(row.error());
    Statement insert(
        *connection,
        "INSERT INTO measurements (kernel, launch_class, alternative, session, "
        "launch, weight, original_us, candidate_us, gain, gain_low, gain_high, pairs, "
        "outcome, seconds, device_bytes, host_bytes, blocks) VALUES "
        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *row, measurement.launchClass, measurement.alternative, measurement.session,
        int64_t{measurement.launch}, measurement.weight, measurement.originalMicroseconds,
        measurement.candidateMicroseconds, measurement.gain.ratio, measurement.gain.low,
        measurement.gain.high, int64_t{measurement.pairs}, measurement.outcome, measurement.seconds,
        static_cast<int64_t>(measurement.copies.device),
        static_cast<int64_t>(measurement.copies.host), static_cast<int64_t>(measurement.blocks));
    return connection->outcome(insert.finish());
  });
}

OrError<void> DatabaseFile::begin(const Underway &underway) {
  return change([&]() -> OrError<void> {
    OrCode<int64_t> row = kernelRow(underway.kernel, underway.kernelName);
    if (!row)
      return connection->failure(row.error());
    Statement insert(*connection,
                     "INSERT OR REPLACE INTO underway (kernel, launch_class, alternative, session, "
                     "process, since_ms, limit_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
                     *row, underway.launchClass, underway.alternative, underway.session,
                     underway.process, underway.sinceMilliseconds, underway.limitMilliseconds);
    return connection->outcome(insert.finish());
  });
}

OrError<void> DatabaseFile::end(const Underway &underway) {
  return change([&] {
    std::string sql =
        std::string("DELETE FROM underway WHERE session = ? AND process = ? AND launch_class = ? "
                    "AND alternative = ? AND kernel = (SELECT k.id FROM kernels k WHERE") +
        Statement::sameKernel + "AND k.name = ?)";
    Statement drop(*connection, sql.c_str(), underway.session, underway.process,
                   underway.launchClass, underway.alternative, underway.kernel,
                   underway.kernelName);
    return connection->outcome(drop.finish());
  });
}

OrError<void> DatabaseFile::forget(const std::string &kernelName, bool exclusionsToo) {
  return change([&]() -> OrError<void> {
    for (const char *table : {"choices", "measurements", "exclusions"}) {
      if (table == std::string_view("exclusions") && !exclusionsToo)
        continue;
      std::string sql = std::string("DELETE FROM ") + table +
                        " WHERE kernel IN (SELECT id FROM kernels WHERE name = ?)";
      if (int code = Statement(*connection, sql.c_str(), kernelName).finish())
        return connection->failure(code);
    }
    return connection->outcome(connection->run(dropUnusedKernels));
  });
}

OrError<void> DatabaseFile::dropOldMeasurements(uint32_t sessions) {
  return change([&]() -> OrError<void> {
    constexpr const char *sql = R"(
DELETE FROM measurements WHERE id IN (
  SELECT id FROM (
    SELECT id, dense_rank() OVER (PARTITION BY name, device, launch_class
                                  ORDER BY last DESC) AS age
    FROM (SELECT m.id, k.name, k.device, m.launch_class,
                 max(m.id) OVER (PARTITION BY k.name, k.device, m.launch_class, m.session) AS last
          FROM measurements m JOIN kernels k ON k.id = m.kernel))
  WHERE age > ?))";
    if (int code = Statement(*connection, sql, int64_t{sessions}).finish())
      return connection->failure(code);
    return connection->outcome(connection->run(dropUnusedKernels));
  });
}

} // namespace regrain
