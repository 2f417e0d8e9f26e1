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

/// Queries return the contents of its members, which a test fills; every call returns
/// `error`.
class FakeDatabase : public Database {
public:
  DatabaseError choices(const TunedKernel &kernel, bool, std::vector<Choice> &out) override {
    return copyOf(kernel, allOfChoices, out);
  }
  DatabaseError staleChoices(const TunedKernel &, const std::string &,
                             std::vector<Choice> &out) override {
    return give({}, out);
  }
  DatabaseError exclusions(const TunedKernel &kernel, std::vector<Exclusion> &out) override {
    return copyOf(kernel, excluded, out);
  }
  DatabaseError put(const Choice &choice) override { return append(choice, allOfChoices); }
  DatabaseError put(const Exclusion &exclusion) override { return append(exclusion, excluded); }
  DatabaseError add(const Measurement &measurement) override {
    return append(measurement, measured);
  }
  DatabaseError begin(const Underway &row) override { return append(row, rows); }
  DatabaseError end(const Underway &row) override {
    std::erase(rows, row);
    return error;
  }
  DatabaseError underway(const std::string &, std::vector<Underway> &out) override {
    return give(rows, out);
  }
  DatabaseError allChoices(std::vector<Choice> &out) override { return give(allOfChoices, out); }
  DatabaseError allExclusions(std::vector<Exclusion> &out) override { return give(excluded, out); }
  DatabaseError verified(const TunedKernel &, const std::string &,
                         std::vector<std::string> &out) override {
    out.clear();
    return error;
  }
  DatabaseError measurements(const std::string &, std::vector<Measurement> &out) override {
    return give(measured, out);
  }
  DatabaseError kernelNames(std::vector<std::string> &out) override { return give({}, out); }
  DatabaseError dropOldMeasurements(uint32_t) override { return {}; }
  DatabaseError forget(const std::string &, bool) override { return error; }
  DatabaseError condition(DatabaseCondition &) override { return error; }
  DatabaseError atomically(const std::function<DatabaseError()> &changes) override {
    return changes();
  }

  DatabaseError error;
  std::vector<Choice> allOfChoices;
  std::vector<Exclusion> excluded;
  std::vector<Measurement> measured;
  std::vector<Underway> rows;

private:
  template <typename Entry> DatabaseError append(const Entry &entry, std::vector<Entry> &to) {
    if (!error)
      to.push_back(entry);
    return error;
  }
  template <typename Entry>
  DatabaseError give(const std::vector<Entry> &from, std::vector<Entry> &out) {
    out = error ? std::vector<Entry>() : from;
    return error;
  }
  template <typename Entry>
  DatabaseError copyOf(const TunedKernel &kernel, const std::vector<Entry> &from,
                       std::vector<Entry> &out) {
    out.clear();
    std::ranges::copy_if(from, std::back_inserter(out),
                         [&](const Entry &entry) { return entry.kernel == kernel; });
    return error;
  }
};

} // namespace regrain
