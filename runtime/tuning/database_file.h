//===- database_file.h - The database in a file -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/opening.h"

#include <mutex>
#include <unordered_set>

namespace regrain {

class DatabaseFile final : public Database {
public:
  DatabaseFile(OpenedFile file, Access access)
      : connection(std::move(file.connection)), version(file.version), access(access) {}

  OrError<std::vector<Choice>> choices(const TunedKernel &kernel, bool withImported) override;
  OrError<std::vector<Choice>> staleChoices(const TunedKernel &kernel,
                                            const std::string &kernelName) override;
  OrError<std::vector<Exclusion>> exclusions(const TunedKernel &kernel) override;
  OrError<void> put(const Choice &choice) override;
  OrError<void> put(const Exclusion &exclusion) override;
  OrError<void> add(const Measurement &measurement) override;
  OrError<void> begin(const Underway &underway) override;
  OrError<void> end(const Underway &underway) override;
  OrError<std::vector<Underway>> underway(const std::string &session) override;
  OrError<std::vector<std::string>> kernelNames() override;
  OrError<std::vector<Choice>> allChoices() override;
  OrError<std::vector<Exclusion>> allExclusions() override;
  OrError<std::vector<std::string>> verified(const TunedKernel &kernel,
                                             const std::string &launchClass) override;
  OrError<std::vector<Measurement>> measurements(const std::string &session) override;
  OrError<std::vector<Measurement>> measurementsOf(const std::string &kernelName) override;
  OrError<void> forget(const std::string &kernelName, bool exclusionsToo) override;
  OrError<void> dropOldMeasurements(uint32_t sessions) override;
  OrError<DatabaseCondition> condition() override;
  OrError<void> atomically(const std::function<OrError<void>()> &changes) override;

private:
  using Change = std::function<OrError<void>()>;

  /// Runs `body`, which returns an OrError<Value>, with exclusive use of the connection.
  template <typename Value, typename Body> OrError<Value> read(const Body &body);
  /// Runs `body` with exclusive use of the connection in a transaction, or within the
  /// one that atomically() has begun.
  OrError<void> change(const Change &body);
  OrError<void> changeAlone(const Change &body);
  OrError<void> checkProcess() const;
  /// Returns whether a reader has returned the error before.
  bool isRepeated(const std::string &error);

  /// Reads the rows of `sql`, whose columns `entryOf` reads in their order.
  template <typename Entry, typename... Values>
  OrError<std::vector<Entry>> readAll(Entry (*entryOf)(Statement &), const std::string &sql,
                                      const Values &...values);
  OrCode<int64_t> kernelRow(const TunedKernel &kernel, const std::string &name);
  int replace(const Choice &choice);
  int replace(const Exclusion &exclusion);

  std::unique_ptr<Connection> connection;
  SchemaVersion version;
  Access access;
  std::recursive_mutex inUse; ///< atomically() holds it while it calls `changes`
  bool isInTransaction = false;
  OrError<void> firstOfTransaction; ///< its first error, if it has one
  std::unordered_set<std::string> said;
};

} // namespace regrain
