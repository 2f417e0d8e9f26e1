//===- Entries.cpp - Choices and exclusions of a database -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "apps/Database/Entries.h"

#include "runtime/image/grain.h"

#include <functional>
#include <map>
#include <tuple>

namespace regrain::database {
namespace {

using KernelKey = std::tuple<std::string, std::string, TunedKernel>; // name, device, all

template <typename Entry> KernelKey keyOf(const Entry &entry) {
  const TunedKernel &kernel = entry.kernel;
  return {entry.kernelName, kernel.device, kernel};
}

template <typename Entry>
std::vector<Entry> matching(const std::string &glob, const std::vector<Entry> &entries) {
  std::vector<Entry> found;
  for (const Entry &entry : entries)
    if (matchesKernel(glob, entry.kernelName))
      found.push_back(entry);
  return found;
}

/// The entries of a database by their keys, without names.
class PresentEntries {
public:
  static OrError<PresentEntries> read(Database &database) {
    return readEntries(database, "*").map([](Entries entries) {
      PresentEntries present;
      for (Exclusion &exclusion : entries.exclusions)
        present.exclusions[{exclusion.kernel, exclusion.alternative}] = std::move(exclusion);
      for (Choice &choice : entries.choices)
        present.choices[{choice.kernel, choice.launchClass}] = std::move(choice);
      return present;
    });
  }
  bool excludes(const Choice &choice) const {
    return exclusions.contains({choice.kernel, choice.alternative});
  }
  bool holds(const Exclusion &exclusion) const {
    return exclusions.contains({exclusion.kernel, exclusion.alternative});
  }
  const Choice *find(const Choice &choice) const {
    auto found = choices.find({choice.kernel, choice.launchClass});
    return found == choices.end() ? nullptr : &found->second;
  }

private:
  using Key = std::pair<TunedKernel, std::string>;
  std::map<Key, Exclusion> exclusions;
  std::map<Key, Choice> choices;
};

OrError<Taken> takeExclusions(Database &into, const Entries &entries) {
  OrError<PresentEntries> held = PresentEntries::read(into);
  if (!held)
    return tl::unexpected(held.error());
  Taken taken;
  for (const Exclusion &exclusion : entries.exclusions) {
    if (held->holds(exclusion)) {
      ++taken.kept;
      continue;
    }
    if (OrError<void> put = into.put(exclusion); !put)
      return tl::unexpected(put.error());
    ++taken.exclusions;
  }
  return taken;
}

using IsTaken = bool (*)(const Choice &choice, const Choice &present);

OrError<Taken> takeChoices(Database &into, const Entries &entries, IsTaken isTaken, Taken taken) {
  OrError<PresentEntries> held = PresentEntries::read(into);
  if (!held)
    return tl::unexpected(held.error());
  for (const Choice &choice : entries.choices) {
    const Choice *present = held->find(choice);
    if (held->excludes(choice)) {
      ++taken.excluded;
    } else if (present && !isTaken(choice, *present)) {
      ++taken.kept;
    } else if (OrError<void> put = into.put(choice); !put) {
      return tl::unexpected(put.error());
    } else {
      ++taken.choices;
    }
  }
  return taken;
}

/// Exclusions come first, because they drop present choices.
OrError<Taken> takeAll(Database &into, const Entries &entries, IsTaken isTaken) {
  OrError<Taken> taken;
  OrError<void> done = into.atomically([&]() -> OrError<void> {
    taken = takeExclusions(into, entries).and_then([&](const Taken &exclusions) {
      return takeChoices(into, entries, isTaken, exclusions);
    });
    return taken.map([](const Taken &) {});
  });
  return done.map([&] { return *taken; });
}

void keepLatestSessions(std::vector<Measurement> &measurements) {
  using Candidate = std::pair<std::string, std::string>; // class, alternative
  std::map<Candidate, std::string> latest;
  for (const Measurement &each : measurements)
    latest[{each.launchClass, each.alternative}] = each.session;
  std::erase_if(measurements, [&](const Measurement &each) {
    return latest.at({each.launchClass, each.alternative}) != each.session;
  });
}

} // namespace

OrError<Entries> readEntries(Database &from, const std::string &glob) {
  OrError<std::vector<Choice>> choices = from.allChoices();
  if (!choices)
    return tl::unexpected(choices.error());
  OrError<std::vector<Exclusion>> exclusions = from.allExclusions();
  if (!exclusions)
    return tl::unexpected(exclusions.error());
  return Entries{matching(glob, *choices), matching(glob, *exclusions)};
}

std::vector<KernelEntries> groupByKernel(const Entries &entries) {
  std::map<KernelKey, KernelEntries> groups;
  auto groupOf = [&](const auto &entry) -> KernelEntries & {
    KernelEntries &group = groups[keyOf(entry)];
    group.name = entry.kernelName;
    group.kernel = entry.kernel;
    return group;
  };
  for (const Choice &choice : entries.choices)
    groupOf(choice).choices.push_back(choice);
  for (const Exclusion &exclusion : entries.exclusions)
    groupOf(exclusion).exclusions.push_back(exclusion);
  std::vector<KernelEntries> sorted;
  for (auto &[key, group] : groups)
    sorted.push_back(std::move(group));
  return sorted;
}

OrError<void> readMeasurements(Database &from, std::vector<KernelEntries> &kernels) {
  for (KernelEntries &kernel : kernels) {
    OrError<std::vector<Measurement>> all = from.measurementsOf(kernel.name);
    if (!all)
      return tl::unexpected(all.error());
    for (Measurement &each : *all)
      if (each.kernel == kernel.kernel)
        kernel.measurements.push_back(std::move(each));
  }
  return {};
}

OrError<std::vector<KernelEntries>> withLatestMeasurements(Database &from, const Entries &entries) {
  std::vector<KernelEntries> kernels = groupByKernel(entries);
  if (OrError<void> read = readMeasurements(from, kernels); !read)
    return tl::unexpected(read.error());
  for (KernelEntries &kernel : kernels)
    keepLatestSessions(kernel.measurements);
  return kernels;
}

OrError<Taken> merge(Database &into, const Entries &entries) {
  auto isBetterFounded = [](const Choice &choice, const Choice &present) {
    auto weight = [](const Choice &each) {
      return std::make_tuple(!each.imported, each.launches, std::cref(each.when));
    };
    return weight(choice) > weight(present);
  };
  return takeAll(into, entries, isBetterFounded);
}

OrError<Taken> import(Database &into, const Entries &entries) {
  Entries imported = entries;
  for (Choice &choice : imported.choices)
    choice.imported = true;
  auto isNotVerifiedHere = [](const Choice &, const Choice &present) { return present.imported; };
  return takeAll(into, imported, isNotVerifiedHere);
}

} // namespace regrain::database
