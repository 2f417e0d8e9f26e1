//===- variant_launches.cpp - The launches of a variant -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/variant_launches.h"

#include <algorithm>

namespace regrain {
namespace {

/// The answer: the extents of the variant's launch, and the misfit if there is none.
using Answer = std::array<uint64_t, launchExtents + 1>;

Answer answerOf(const tl::expected<LaunchShape, Misfit> &launch) {
  Answer answer = {};
  if (launch)
    std::ranges::copy(extentsOf(*launch), answer.begin());
  answer.back() = uint64_t(launch ? Misfit::None : launch.error());
  return answer;
}

tl::expected<LaunchShape, Misfit> launchOf(const Answer &answer) {
  if (auto misfit = Misfit(answer.back()); misfit != Misfit::None)
    return tl::unexpected(misfit);
  LaunchExtents extents;
  std::ranges::copy_n(answer.begin(), launchExtents, extents.begin());
  return shapeOf(extents);
}

} // namespace

static std::vector<RuleStep> readBy(const LaunchRule &rule) {
  std::vector<RuleStep> read;
  for (const RuleStep &step : rule.steps)
    if (step.op == RuleOp::Argument && std::ranges::find(read, step) == read.end())
      read.push_back(step);
  return read;
}

VariantLaunches::VariantLaunches(LaunchRule rule)
    : rule(std::move(rule)), read(readBy(this->rule)),
      known(launchExtents + read.size(), Answer().size()) {}

tl::expected<LaunchShape, Misfit> VariantLaunches::of(const LaunchShape &program,
                                                      void *const *arguments) {
  if (read.size() > mostRead)
    return launchOfVariant(rule, program, arguments);
  std::array<uint64_t, launchExtents + mostRead> words;
  auto next = std::ranges::copy(extentsOf(program), words.begin()).out;
  for (const RuleStep &step : read)
    *next++ = readArgument(step, arguments);
  std::span<const uint64_t> question(words.data(), launchExtents + read.size());
  Answer answer;
  if (known.find(question, answer))
    return launchOf(answer);
  tl::expected<LaunchShape, Misfit> launch = launchOfVariant(rule, program, arguments);
  known.note(question, answerOf(launch));
  return launch;
}

} // namespace regrain
