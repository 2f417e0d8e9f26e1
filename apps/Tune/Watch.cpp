//===- Watch.cpp - The candidate that runs or broke a run -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Tune/Watch.h"

#include "apps/Process/Descendants.h"
#include "runtime/tuning/tune_request.h"

#include <algorithm>
#include <cstdio>

namespace regrain::tune {
namespace {

/// If a poll comes more than this many seconds after the last one, the run was stopped in between.
constexpr double longestLookSeconds = 1;

bool isSame(const Underway &a, const Underway &b) {
  return a.kernel == b.kernel && a.launchClass == b.launchClass && a.alternative == b.alternative &&
         a.process == b.process && a.sinceMilliseconds == b.sinceMilliseconds;
}

double limitOf(const Underway &row) { return static_cast<double>(row.limitMilliseconds) / 1000; }

} // namespace

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g s", seconds);
  return text;
}

OrError<void> Watch::look(double seconds) {
  OrError<std::vector<Underway>> found = database.underway(session);
  if (!found)
    return tl::unexpected(found.error());
  std::vector<Seen> now;
  for (const Underway &row : *found) {
    auto before = std::ranges::find_if(seen, [&](const Seen &old) { return isSame(old.row, row); });
    Seen &entry = now.emplace_back(before == seen.end() ? Seen{row} : *before);
    entry.seconds += before == seen.end() ? 0 : std::min(seconds, longestLookSeconds);
    entry.isAlive = process::isLivingDescendant(static_cast<pid_t>(row.process));
    entry.wasAlive |= entry.isAlive;
  }
  seen = std::move(now);
  rows = std::move(*found);
  return {};
}

double Watch::longest() const {
  double most = 0;
  for (const Seen &entry : seen)
    most = std::max(most, entry.seconds);
  return most;
}

std::string Watch::originalTime(const Underway &row) const {
  OrError<std::vector<Measurement>> measurements = database.measurements(session);
  if (!measurements)
    return ""; // without details, the reason is still valid
  for (const Measurement &measurement : *measurements)
    if (measurement.kernel == row.kernel && measurement.launchClass == row.launchClass &&
        measurement.originalMicroseconds > 0)
      return "; the original takes " + secondsText(measurement.originalMicroseconds / 1e6);
  return "";
}

Blame Watch::whileRunning() const {
  Blame blame;
  for (const Seen &entry : seen)
    if (entry.wasAlive && !entry.isAlive)
      blame.candidates.push_back(entry.row);
  blame.reason = "the process ended while it ran";
  blame.isCertain = false;
  if (!blame.candidates.empty())
    return blame;
  blame.isCertain = true;
  for (const Seen &entry : seen)
    if (entry.seconds > limitOf(entry.row)) {
      blame.candidates = {entry.row}; // one at a time, because each has its own limit
      blame.reason = "ran longer than " + secondsText(limitOf(entry.row)) + originalTime(entry.row);
    }
  return blame;
}

Blame Watch::atEnd(pid_t program, const process::Ending &ending) const {
  Blame blame;
  for (const Seen &entry : seen) {
    bool ofProgram = entry.row.process == program;
    bool reachedItsEnd = ofProgram && !ending.signal && ending.code == 0;
    if (!reachedItsEnd && (ofProgram || !entry.isAlive))
      blame.candidates.push_back(entry.row);
  }
  blame.isCertain = process::isCrash(ending.lastSignal()) || ending.code == gaveUpExitCode;
  blame.reason = process::isCrash(ending.lastSignal())
                     ? "killed by " + process::nameOfSignal(ending.lastSignal()) + " while it ran"
                 : ending.code ? "the program ended with exit code " + std::to_string(ending.code) +
                                     " while it ran"
                               : "the process ended while it ran";
  return blame;
}

Blame Watch::confirm(Blame blame) {
  if (blame.isCertain)
    return blame;
  std::erase_if(blame.candidates, [&](const Underway &row) {
    bool isKnown = std::ranges::any_of(suspects, [&](const Underway &other) {
      return other.kernel == row.kernel && other.alternative == row.alternative;
    });
    if (!isKnown)
      suspects.push_back(row);
    return !isKnown;
  });
  blame.reason += ", twice";
  return blame;
}

OrError<void> Watch::clear() {
  if (OrError<void> seenNow = look(0); !seenNow)
    return seenNow;
  for (const Seen &entry : seen)
    if (!entry.isAlive)
      if (OrError<void> ended = database.end(entry.row); !ended)
        return ended;
  seen.clear();
  return {};
}

OrError<void> exclude(Database &database, const Blame &blame) {
  for (const Underway &row : blame.candidates) {
    OrError<std::vector<Exclusion>> known = database.exclusions(row.kernel);
    if (!known)
      return tl::unexpected(known.error());
    if (std::ranges::find(*known, row.alternative, &Exclusion::alternative) != known->end())
      continue;
    Exclusion exclusion = {row.kernel, row.kernelName, row.alternative, blame.reason, ""};
    if (OrError<void> put = database.put(exclusion); !put)
      return put;
  }
  return {};
}

} // namespace regrain::tune
