//===- activities.h - What a tuning process is doing ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuners say what they do, and listeners show it: a trace (trace_file.h), and the profiler
// under which the process runs (profiler_ranges.h). Tuners run one at a time, so the activities of
// a process are nested, whichever of its threads launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace regrain {

/// A name and what it stands for; the name must live as long as the program.
using Detail = std::pair<std::string_view, std::variant<std::string, double>>;
using Details = std::vector<Detail>;

class ActivityListener {
public:
  virtual ~ActivityListener() = default;
  /// What follows concerns launches in the stream.
  virtual void onStream(cudaStream_t) {}
  virtual void begin(const std::string &name, const Details &details) = 0;
  /// Ends the activity that began last and has not ended; adds to its details.
  virtual void end(const Details &details) = 0;
  /// Something has been found out.
  virtual void mark(const std::string &, const Details &) {}
  /// A quantity has a new value.
  virtual void count(std::string_view, double) {}
};

class Activities {
public:
  void add(std::unique_ptr<ActivityListener> listener) {
    if (listener)
      listeners.push_back(std::move(listener));
  }
  void onStream(cudaStream_t stream) {
    forEach([&](ActivityListener &each) { each.onStream(stream); });
  }
  void begin(const std::string &name, const Details &details) {
    forEach([&](ActivityListener &each) { each.begin(name, details); });
  }
  void end(const Details &details) {
    forEach([&](ActivityListener &each) { each.end(details); });
  }
  void mark(const std::string &name, const Details &details) {
    forEach([&](ActivityListener &each) { each.mark(name, details); });
  }
  void count(std::string_view name, double value) {
    forEach([&](ActivityListener &each) { each.count(name, value); });
  }

private:
  template <typename Call> void forEach(Call call) {
    for (const std::unique_ptr<ActivityListener> &listener : listeners)
      call(*listener);
  }

  std::vector<std::unique_ptr<ActivityListener>> listeners;
};

/// An activity that lasts as long as the object.
class Activity {
public:
  Activity(Activities &all, const std::string &name, const Details &details = {}) : all(all) {
    all.begin(name, details);
  }
  Activity(const Activity &) = delete;
  ~Activity() {
    try {
      all.end(atEnd);
    } catch (const std::bad_alloc &) {
      // The listener misses an end; the program goes on.
    }
  }

  /// Adds what is known only at the end.
  void note(std::string_view name, std::variant<std::string, double> value) {
    atEnd.emplace_back(name, std::move(value));
  }

private:
  Activities &all;
  Details atEnd;
};

} // namespace regrain
