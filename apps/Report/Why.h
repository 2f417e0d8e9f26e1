//===- Why.h - What became of one grain -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer to `regrain explain --why KERNEL:SPEC`: is the grain legal, proposed, pruned,
// compiled, tried, and chosen?
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/FileReport.h"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace regrain::report {

/// What tuning on this machine knows of a grain, in sentences; none: nothing.
struct TuningFacts {
  std::vector<std::string> tried, chosen;
};
/// Takes a kernel's demangled name and the id of a grain.
using TuningLookup = std::function<TuningFacts(const std::string &, const std::string &)>;

/// The answer for one kernel.
struct WhyAnswer {
  enum class Legal { Yes, No, Unknown };
  std::string kernel, id;
  SourcePosition where;
  Legal legal = Legal::Unknown;
  RefusalReport refusal;             ///< if it is not legal
  std::string proposed;              ///< a sentence
  std::vector<std::string> verdicts; ///< for each target that does without it, and why
  std::vector<std::string> targets;  ///< that have code
  TuningFacts tuning;
};

/// Answers for the kernels that the request matches. `proposed` has the grains that the compiler
/// proposes, or is a built file; `asked` was compiled with the request, and is null for a built
/// file.
[[nodiscard]] std::vector<WhyAnswer> whyOf(const GrainRequest &request, const FileReport &proposed,
                                           const FileReport *asked, const TuningLookup &lookUp);

/// Returns the names of all kernels.
[[nodiscard]] std::vector<std::string> kernelNames(const FileReport &report);

void writeText(const std::vector<WhyAnswer> &answers, std::ostream &out);

} // namespace regrain::report
