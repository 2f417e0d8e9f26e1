//===- Trace.cpp - A tuning run as a trace --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Trace.h"

#include "compiler/Choices/JsonFile.h"
#include "runtime/tuning/trace_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <unistd.h>

namespace regrain::tune {
namespace {

constexpr int schemaMajor = 1, schemaMinor = 0;

/// Makes slices of what began and ended. Times are in microseconds.
class TraceBuilder {
public:
  explicit TraceBuilder(const Outcome &outcome) : outcome(outcome) {
    if (!outcome.runs.empty())
      origin = outcome.runs.front().begin * 1e6;
  }

  void addRuns() {
    addName(getpid(), "process_name", "regrain tune");
    addName(getpid(), "thread_name", "runs of the program");
    for (const ProgramRun &run : outcome.runs) {
      Json arguments = {{"ended", run.ended}};
      if (!run.blamed.empty())
        arguments["blamed"] = run.blamed;
      addSlice({{"name", run.name}, {"pid", getpid()}, {"tid", 0}, {"args", arguments}},
               run.begin * 1e6, run.end * 1e6);
    }
  }

  /// Adds the event of one line; a line that is not whole has none.
  void addLine(const std::string &line) {
    Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!event.is_object())
      return;
    std::string phase = event.value("ph", "");
    double time = event.value("ts", 0.0);
    int64_t process = event.value("pid", int64_t(0));
    latest = std::max(latest, time);
    if (phase == "B") {
      open[process].push_back(std::move(event));
    } else if (phase == "E") {
      close(process, time, event.value("args", Json::object()));
    } else {
      event["ts"] = since(time);
      add(std::move(event));
    }
  }

  /// Ends what the processes had not ended when they did.
  void closeAll() {
    for (auto &[process, begun] : open)
      while (!begun.empty())
        close(process, endOfRun(begun.back().value("ts", 0.0)),
              {{"ended", "the process ended meanwhile"}});
  }

  /// Returns the events by their times, slices before those that they contain.
  Json sorted() const {
    Json list = Json::array();
    for (const auto &[key, event] : events)
      list.push_back(event);
    return list;
  }

private:
  double since(double time) const { return std::round((time - origin) * 1000) / 1000; }

  double endOfRun(double time) const {
    for (const ProgramRun &run : outcome.runs)
      if (run.begin * 1e6 <= time && time <= run.end * 1e6)
        return run.end * 1e6;
    return latest;
  }

  void close(int64_t process, double time, const Json &arguments) {
    std::vector<Json> &begun = open[process];
    if (begun.empty())
      return;
    Json event = std::move(begun.back());
    begun.pop_back();
    if (arguments.is_object())
      event["args"].update(arguments);
    double begin = event.value("ts", 0.0);
    addSlice(std::move(event), begin, time);
  }

  void addSlice(Json event, double begin, double end) {
    event["ph"] = "X";
    event["ts"] = since(begin);
    event["dur"] = std::max(0.0, std::round((since(end) - since(begin)) * 1000) / 1000);
    add(std::move(event));
  }

  void add(Json event) {
    std::pair key(event.value("ts", 0.0), -event.value("dur", 0.0));
    events.emplace(key, std::move(event));
  }

  void addName(int64_t process, const char *what, const char *name) {
    add({{"ph", "M"},
         {"name", what},
         {"pid", process},
         {"tid", 0},
         {"ts", 0},
         {"args", {{"name", name}}}});
  }

  const Outcome &outcome;
  std::multimap<std::pair<double, double>, Json> events; ///< by time and negative duration
  std::map<int64_t, std::vector<Json>> open;             ///< by process, outermost first
  double origin = 0, latest = 0;
};

} // namespace

std::string traceOf(const Plan &plan, const Outcome &outcome, const std::string &events) {
  TraceBuilder builder(outcome);
  builder.addRuns();
  std::istringstream lines(events);
  for (std::string line; std::getline(lines, line);)
    builder.addLine(line);
  builder.closeAll();
  return toText({{"displayTimeUnit", "ms"},
                 {"otherData",
                  {{"schema", "regrain-trace"},
                   {"version", {{"major", schemaMajor}, {"minor", schemaMinor}}},
                   {"session", plan.session},
                   {"command", plan.command}}},
                 {"traceEvents", builder.sorted()}});
}

OrError<void> writeTrace(const Plan &plan, const Outcome &outcome, const std::string &file) {
  std::string path = traceEventsPath(plan.databasePath, plan.session);
  std::error_code stays; // then it is only litter
  // A program that launched no kernel has written none.
  OrError<std::string> events = std::filesystem::exists(path, stays) ? readWhole(path) : "";
  if (!events)
    return tl::unexpected(events.error());
  std::filesystem::remove(path, stays);
  return writeWhole(traceOf(plan, outcome, *events), file);
}

} // namespace regrain::tune
