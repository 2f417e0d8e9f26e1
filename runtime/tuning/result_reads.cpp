//===- result_reads.cpp - Whether a launch reads what it writes -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/result_reads.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace regrain {
namespace {

/// An allocation, or a variable by its symbol.
using Place = std::pair<const Allocation *, std::string>;
using Places = std::set<Place>;

/// Returns the number of the parameter that an access names, or nothing.
std::optional<uint32_t> parameterOf(std::string_view memory) {
  constexpr std::string_view prefix = "parameter ";
  uint32_t number = 0;
  if (!memory.starts_with(prefix))
    return std::nullopt;
  const char *end = memory.data() + memory.size();
  auto [at, error] = std::from_chars(memory.data() + prefix.size(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

/// Adds where a pointer points; returns false if that is not known, or may be a variable.
bool addPlaces(const ArgumentWord &word, const std::vector<Allocation> &owned, Places &places) {
  std::vector<const Allocation *> around = findAround(owned, word.value);
  for (const Allocation *each : around)
    places.emplace(each, "");
  auto isVariable = [](const Allocation *each) {
    return each->kind == MemoryKind::Variable || each->kind == MemoryKind::ManagedVariable;
  };
  return word.value == 0 || (!around.empty() && std::ranges::none_of(around, isVariable));
}

/// Gives the memory of an access; returns false if it is not known.
bool findPlaces(std::string_view memory, const std::vector<ArgumentWord> &words,
                const std::vector<Allocation> &owned, Places &places) {
  std::optional<uint32_t> parameter = parameterOf(memory);
  if (!parameter) {
    places.emplace(nullptr, memory);
    return memory != "other memory";
  }
  auto word = std::ranges::find_if(words, [&](const ArgumentWord &each) {
    return each.isPointer && each.parameter == *parameter;
  });
  return word != words.end() && addPlaces(*word, owned, places);
}

} // namespace

bool readsNoResults(const image::Kernel &kernel, const std::vector<ArgumentWord> &words,
                    const std::vector<Allocation> &owned) {
  const image::Footprint *footprint = kernel.footprint();
  if (!kernel.stays_in_arguments() || !footprint || !footprint->accesses())
    return false;
  Places read, written;
  for (const image::FootprintAccess *access : *footprint->accesses()) {
    Places places;
    if (!access->memory() || !findPlaces(access->memory()->string_view(), words, owned, places))
      return false;
    if (access->reads())
      read.insert(places.begin(), places.end());
    if (access->writes())
      written.insert(places.begin(), places.end());
  }
  return std::ranges::none_of(read, [&](const Place &each) { return written.contains(each); });
}

} // namespace regrain
