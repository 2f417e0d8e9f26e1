//===- Explain.h - The grains of each kernel --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grains of each kernel are grouped by their outcome: legal, kept (there is
// code), pruned (legal, and not worth keeping for some target), or refused for
// one reason.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/FileReport.h"

namespace regrain::report {

/// The reason why a grain is not worth keeping for a target.
struct Finding {
  std::string id;
  std::string target;
  std::string stage; ///< "resources" or "duplicate"
  std::string reason;
};

/// The grains of one kernel with the same outcome.
struct GrainGroup {
  enum class State { Legal, Kept, Pruned, Refused };
  State state;
  std::vector<std::string> families; ///< "block.x", "block.x+thread.x", without factors
  std::vector<std::string> ids;
  RefusalReport refusal;         ///< if they are refused
  std::vector<Finding> findings; ///< if they are pruned
};

/// Returns "legal", "kept", "pruned" or "refused".
const char *nameOf(GrainGroup::State state);

struct KernelExplanation {
  enum class Raised { Yes, No, Unknown };
  const KernelReport *kernel;
  Raised raised; ///< unknown if no grain was requested
  std::vector<GrainGroup> groups;
};

/// Counts over all kernels of all files. An alternative that some target
/// lacks counts as kept and as refused or pruned.
struct ExplanationSummary {
  size_t kernels = 0, raised = 0, coarsenable = 0, coarsened = 0;
  size_t legal = 0, kept = 0, pruned = 0, refused = 0;
};

/// The kernels of one file; refers to the report.
struct FileExplanation {
  const FileReport *report;
  std::vector<KernelExplanation> kernels;
};

FileExplanation explain(const FileReport &report);
ExplanationSummary summarise(const std::vector<FileExplanation> &files);

/// Writes the explanation as text, with a line of counts at the end.
void writeText(const std::vector<FileExplanation> &files, std::ostream &out);

/// Writes JSON as in docs/report-schema.md.
void writeJson(const std::vector<FileExplanation> &files, std::ostream &out);

} // namespace regrain::report
