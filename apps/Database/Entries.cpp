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
class Standing {
public:
  DatabaseError read(Database &database) {
    Entries entries;
    if (DatabaseError error = readEntries(database, "*", entries))
      return error;
    for (Exclusion &exclusion : entries.exclusions)
      exclusions[{exclusion.kernel, exclusion.alternative}] = std::move(exclusion);
    for (Choice &choice : entries.choices)
      choices[{choice.kernel, choice.launchClass}] = std::move(choice);
    return {};
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

DatabaseError takeExclusions(Database &into, const Entries &entries, Taken &taken) {
  Standing standing;
  if (DatabaseError error = standing.read(into))
    return error;
  for (const Exclusion &exclusion : entries.exclusions) {
    if (standing.holds(exclusion)) {
      ++taken.kept;
      continue;
    }
    if (DatabaseError error = into.put(exclusion))
      return error;
    ++taken.exclusions;
  }
  return {};
}

using IsTaken = bool (*)(const Choice &choice, const Choice &standing);

/// Exclusions come first, because they drop present choices.
DatabaseError takeAll(Database &into, const Entries &entries, IsTaken isTaken, Taken &taken) {
  return into.atomically([&]() -> DatabaseError {
    taken = {};
    if (DatabaseError error = takeExclusions(into, entries, taken))
      return error;
    Standing standing;
    if (DatabaseError error = standing.read(into))
      return error;
    for (const Choice &choice : entries.choices) {
      const Choice *present = standing.find(choice);
      if (standing.excludes(choice)) {
        ++taken.excluded;
      } else if (present && !isTaken(choice, *present)) {
        ++taken.kept;
      } else if (DatabaseError error = into.put(choice)) {
        return error;
      } else {
        ++taken.choices;
      }
    }
    return {};
  });
}

} // namespace

DatabaseError readEntries(Database &from, const std::string &glob, Entries &out) {
  Entries all;
  if (DatabaseError error = from.allChoices(all.choices))
    return error;
  if (DatabaseError error = from.allExclusions(all.exclusions))
    return error;
  out = {matching(glob, all.choices), matching(glob, all.exclusions)};
  return {};
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

DatabaseError merge(Database &into, const Entries &entries, Taken &taken) {
  auto isBetterFounded = [](const Choice &choice, const Choice &standing) {
    auto weight = [](const Choice &each) {
      return std::make_tuple(!each.imported, each.launches, std::cref(each.when));
    };
    return weight(choice) > weight(standing);
  };
  return takeAll(into, entries, isBetterFounded, taken);
}

DatabaseError import(Database &into, const Entries &entries, Taken &taken) {
  Entries imported = entries;
  for (Choice &choice : imported.choices)
    choice.imported = true;
  auto isNotVerifiedHere = [](const Choice &, const Choice &standing) { return standing.imported; };
  return takeAll(into, imported, isNotVerifiedHere, taken);
}

} // namespace regrain::database
