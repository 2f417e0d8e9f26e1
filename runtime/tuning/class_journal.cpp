//===- class_journal.cpp - What is measured of a class --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/measuring.h"

#include "runtime/core/error_text.h"
#include "runtime/image/grain.h"

#include <algorithm>
#include <chrono>
#include <unistd.h>

namespace regrain {

static std::string textOf(const flatbuffers::String *text) { return text ? text->str() : ""; }

TunedKernel keyOf(TunableKernel &kernel) {
  const cudaDeviceProp &device = kernel.deviceProperties();
  return {textOf(kernel.entry().hash()),
          std::string(kernel.generation()),
          device.name,
          uint32_t(device.multiProcessorCount),
          kernel.driverVersion(),
          textOf(kernel.image().producer())};
}

ClassJournal::ClassJournal(Measuring &session, TunableKernel &kernel,
                           const LaunchClass &launchClass)
    : session(session), key(keyOf(kernel)), ownClass(launchClass),
      kernelName(textOf(kernel.entry().name())), className(toString(launchClass)),
      invariants(wholeIntegers(kernel.entry())) {}

Measurement ClassJournal::blank(const std::string &id, uint64_t launch,
                                const std::string &outcome) const {
  Measurement measurement;
  measurement.kernel = key;
  measurement.kernelName = kernelName;
  measurement.launchClass = className;
  measurement.alternative = id;
  measurement.session = session.sessionName();
  measurement.launch = uint32_t(launch);
  measurement.outcome = outcome;
  measurement.copies = copies;
  measurement.blocks = blocks;
  return measurement;
}

/// Returns the entries that were read; none after an error, which is noted.
template <typename Entry>
static std::vector<Entry> noted(Measuring &session, OrError<std::vector<Entry>> entries) {
  if (entries)
    return std::move(*entries);
  session.note(tl::unexpected(entries.error()));
  return {};
}

std::vector<size_t> ClassJournal::usableCandidates(TunableKernel &kernel) {
  std::vector<Exclusion> excluded = noted(session, session.database().exclusions(key));
  std::vector<std::string_view> ids = kernel.candidates();
  std::vector<size_t> usable;
  auto repeated = std::find_if(excluded.begin(), excluded.end(), [](const Exclusion &each) {
    return each.alternative == originalId;
  });
  if (repeated != excluded.end()) {
    add(std::string(originalId), 0,
        "not tuned: repeating its launch broke the program before: " + repeated->reason);
    return usable;
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!kernel.isWorthTrying(i, ownClass))
      continue;
    auto found = std::find_if(excluded.begin(), excluded.end(),
                              [&](const Exclusion &each) { return each.alternative == ids[i]; });
    if (found == excluded.end())
      usable.push_back(i);
    else
      add(std::string(ids[i]), 0, "excluded: " + found->reason);
  }
  return usable;
}

std::vector<std::string> ClassJournal::verifiedCandidates() {
  return noted(session, session.database().verified(key, className));
}

std::optional<std::string> ClassJournal::choice() {
  for (const Choice &each : noted(session, session.database().choices(key, /*withImported=*/false)))
    if (each.launchClass == className && each.alternative != originalId)
      return each.alternative;
  return std::nullopt;
}

/// Stores the measurement, and shows it.
void ClassJournal::add(const Measurement &measurement) {
  Details details = {{"kernel", kernelName},
                     {"class", className},
                     {"grain", measurement.alternative},
                     {"launch", double(measurement.launch)},
                     {"outcome", measurement.outcome}};
  if (measurement.pairs)
    for (auto [name, value] : {std::pair("original_us", measurement.originalMicroseconds),
                               {"candidate_us", measurement.candidateMicroseconds},
                               {"gain", measurement.gain.ratio},
                               {"gain_low", measurement.gain.low},
                               {"gain_high", measurement.gain.high},
                               {"pairs", double(measurement.pairs)}})
      details.emplace_back(name, value);
  session.activities().mark(measurement.alternative + ": " + measurement.outcome, details);
  session.note(session.database().add(measurement));
}

void ClassJournal::add(const std::string &id, uint64_t launch, const std::string &outcome) {
  add(blank(id, launch, outcome));
}

void ClassJournal::add(const std::string &id, uint64_t launch, const SampledLaunch &sample,
                       double microseconds, uint32_t pairs, double seconds,
                       const std::string &outcome) {
  Measurement measurement = blank(id, launch, outcome);
  measurement.weight = sample.weight;
  measurement.originalMicroseconds = sample.originalMicroseconds;
  measurement.candidateMicroseconds = microseconds;
  measurement.gain = sample.gain;
  measurement.pairs = pairs;
  measurement.seconds = seconds;
  add(measurement);
}

void ClassJournal::exclude(const std::string &id, uint64_t launch, const std::string &reason) {
  session.note(session.database().put(Exclusion{key, kernelName, id, reason, /*when=*/{}}));
  add(id, launch, "excluded: " + reason);
}

void ClassJournal::choose(Choice choice) {
  choice.kernel = key;
  choice.kernelName = kernelName;
  choice.launchClass = className;
  choice.launch = invariants.text();
  session.activities().mark("chosen: " + choice.alternative, {{"kernel", kernelName},
                                                              {"class", className},
                                                              {"grain", choice.alternative},
                                                              {"verdict", choice.verdict},
                                                              {"gain", choice.gain.ratio}});
  session.note(session.database().put(choice));
}

/// This is one transaction, because each one waits for the disk. Returns false after an error.
bool ClassJournal::mark(const std::string &id, double limitMilliseconds) {
  using namespace std::chrono;
  int64_t now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  Underway row = {key,
                  kernelName,
                  className,
                  id,
                  session.sessionName(),
                  getpid(),
                  now,
                  int64_t(limitMilliseconds)};
  Database &database = session.database();
  OrError<void> stored = database.atomically([&] {
    OrError<void> ended = standing ? database.end(*standing) : OrError<void>();
    return ended ? database.begin(row) : ended;
  });
  session.note(stored);
  if (stored)
    standing = std::move(row);
  return stored.has_value();
}

void ClassJournal::atWork(const std::string &id, double limitMilliseconds) {
  if (!mark(id, limitMilliseconds))
    throw NotMarked();
}

void ClassJournal::atRest() {
  if (standing)
    session.note(session.database().end(*standing));
  standing.reset();
}

void ClassJournal::fail(const std::string &id, uint64_t launch, double limitMilliseconds,
                        cudaError_t status) {
  std::string reason =
      status == cudaErrorLaunchTimeout ? "did not end" : "failed with " + numberAndName(status);
  exclude(id, launch, reason);
  std::string what = kernelName + " at " + id + " " + reason;
  if (!mark(id, limitMilliseconds))
    session.startWithout(what + ", which cannot be stored");
  session.giveUp(what);
}

} // namespace regrain
