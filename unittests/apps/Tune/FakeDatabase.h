//===- FakeDatabase.h - A database in memory --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <algorithm>

namespace regrain {

/// Queries return the contents of its members, which a test fills; every call fails with
/// `error`, unless that is empty.
class FakeDatabase : public Database {
public:
  OrError<std::vector<Choice>> choices(const TunedKernel &kernel, bool) override {
    return give(copyOf(kernel, allOfChoices));
  }
  OrError<std::vector<Choice>> staleChoices(const TunedKernel &, const std::string &) override {
    return give(std::vector<Choice>());
  }
  OrError<std::vector<Exclusion>> exclusions(const TunedKernel &kernel) override {
    return give(copyOf(kernel, excluded));
  }
  OrError<void> put(const Choice &choice) override { return append(choice, allOfChoices); }
  OrError<void> put(const Exclusion &exclusion) override { return append(exclusion, excluded); }
  OrError<void> add(const Measurement &measurement) override {
    return append(measurement, measured);
  }
  OrError<void> begin(const Underway &row) override { return append(row, rows); }
  OrError<void> end(const Underway &row) override {
    std::erase(rows, row);
    return done();
  }
  OrError<std::vector<Underway>> underway(const std::string &) override { return give(rows); }
  OrError<std::vector<Choice>> allChoices() override { return give(allOfChoices); }
  OrError<std::vector<Exclusion>> allExclusions() override { return give(excluded); }
  OrError<std::vector<std::string>> verified(const TunedKernel &, const std::string &) override {
    return give(std::vector<std::string>());
  }
  OrError<std::vector<Measurement>> measurements(const std::string &) override {
    return give(measured);
  }
  OrError<std::vector<Measurement>> measurementsOf(const std::string &) override {
    return give(measured);
  }
  OrError<std::vector<std::string>> kernelNames() override {
    return give(std::vector<std::string>());
  }
  OrError<void> dropOldMeasurements(uint32_t) override { return {}; }
  OrError<void> forget(const std::string &, bool) override { return done(); }
  OrError<DatabaseCondition> condition() override { return give(DatabaseCondition()); }
  OrError<void> atomically(const std::function<OrError<void>()> &changes) override {
    return changes();
  }

  std::string error;
  std::vector<Choice> allOfChoices;
  std::vector<Exclusion> excluded;
  std::vector<Measurement> measured;
  std::vector<Underway> rows;

private:
  template <typename Value> OrError<Value> give(Value value) const {
    if (!error.empty())
      return tl::unexpected(error);
    return value;
  }
  OrError<void> done() const {
    if (!error.empty())
      return tl::unexpected(error);
    return {};
  }
  template <typename Entry> OrError<void> append(const Entry &entry, std::vector<Entry> &to) {
    if (error.empty())
      to.push_back(entry);
    return done();
  }
  template <typename Entry>
  static std::vector<Entry> copyOf(const TunedKernel &kernel, const std::vector<Entry> &from) {
    std::vector<Entry> found;
    std::ranges::copy_if(from, std::back_inserter(found),
                         [&](const Entry &entry) { return entry.kernel == kernel; });
    return found;
  }
};

} // namespace regrain
