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

  DatabaseError choices(const TunedKernel &kernel, bool withImported,
                        std::vector<Choice> &out) override;
  DatabaseError staleChoices(const TunedKernel &kernel, const std::string &kernelName,
                             std::vector<Choice> &out) override;
  DatabaseError exclusions(const TunedKernel &kernel, std::vector<Exclusion> &out) override;
  DatabaseError put(const Choice &choice) override;
  DatabaseError put(const Exclusion &exclusion) override;
  DatabaseError add(const Measurement &measurement) override;
  DatabaseError begin(const Underway &underway) override;
  DatabaseError end(const Underway &underway) override;
  DatabaseError underway(const std::string &session, std::vector<Underway> &out) override;
  DatabaseError kernelNames(std::vector<std::string> &out) override;
  DatabaseError allChoices(std::vector<Choice> &out) override;
  DatabaseError allExclusions(std::vector<Exclusion> &out) override;
  DatabaseError verified(const TunedKernel &kernel, const std::string &launchClass,
                         std::vector<std::string> &out) override;
  DatabaseError measurements(const std::string &session, std::vector<Measurement> &out) override;
  DatabaseError forget(const std::string &kernelName, bool exclusionsToo) override;
  DatabaseError dropOldMeasurements(uint32_t sessions) override;
  DatabaseError condition(DatabaseCondition &out) override;
  DatabaseError atomically(const std::function<DatabaseError()> &changes) override;

private:
  using Body = std::function<DatabaseError()>;

  /// Runs `body` with exclusive use of the connection.
  DatabaseError read(const Body &body);
  /// Does the same in a transaction, or within the one that atomically() has
  /// begun.
  DatabaseError change(const Body &body);
  DatabaseError changeAlone(const Body &body);
  DatabaseError unusable() const;
  DatabaseError once(DatabaseError error);

  /// Reads the rows of `sql`, whose columns `entryOf` reads in their order.
  template <typename Entry, typename... Values>
  DatabaseError readAll(std::vector<Entry> &out, Entry (*entryOf)(Statement &),
                        const std::string &sql, const Values &...values);
  int kernelRow(const TunedKernel &kernel, const std::string &name, int64_t &row);
  int replace(const Choice &choice);
  int replace(const Exclusion &exclusion);

  std::unique_ptr<Connection> connection;
  SchemaVersion version;
  Access access;
  std::recursive_mutex inUse; ///< atomically() holds it while it calls `changes`
  bool isInTransaction = false;
  DatabaseError firstOfTransaction;
  std::unordered_set<std::string> said;
};

} // namespace regrain
