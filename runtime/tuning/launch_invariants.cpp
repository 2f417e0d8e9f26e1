//===- launch_invariants.cpp - What sampled launches have in common -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/launch_invariants.h"

#include "runtime/image/integers.h"

namespace regrain {

std::vector<image::IntegerArgument> wholeIntegers(const image::Kernel &kernel) {
  std::vector<image::IntegerArgument> whole;
  if (!kernel.integers() || !kernel.parameters())
    return whole;
  for (const image::IntegerArgument *integer : *kernel.integers())
    if (integer->offset() == 0 &&
        kernel.parameters()->Get(integer->parameter())->size() == integer->size())
      whole.push_back(*integer);
  return whole;
}

void LaunchInvariants::add(const LaunchShape &program, void *const *arguments) {
  auto read = [&](const image::IntegerArgument &integer) {
    return readInteger(arguments[integer.parameter()], integer.size());
  };
  bool isFirst = !known;
  if (isFirst)
    known.emplace().block = program.block; // which is that of the class
  std::erase_if(integers, [&](const image::IntegerArgument &integer) {
    std::optional<int64_t> value = read(integer);
    if (isFirst && value)
      known->arguments[integer.parameter()] = *value;
    auto common = known->arguments.find(integer.parameter());
    if (common != known->arguments.end() && value == common->second)
      return false;
    known->arguments.erase(integer.parameter());
    return true;
  });
}

std::string LaunchInvariants::text() const {
  if (!known)
    return "";
  const auto &[x, y, z] = *known->block;
  std::string text =
      "for.block=" + std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
  for (auto [parameter, value] : known->arguments)
    text += ",for.arg" + std::to_string(parameter) + "=" + std::to_string(value);
  return text;
}

} // namespace regrain
