//===- Candidate.h - What became of a grain that was considered -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace regrain {

enum class CandidateOutcome {
  Kept,
  Refused, ///< not legal, or the target has no code for it
  Pruned,  ///< legal, but not worth keeping
  TimedOut ///< its compile ran past the limit
};

/// What speaks against a candidate. If the candidate is refused, a RefusedGrain (Selection/Plan.h)
/// also says where, and what would lift it.
struct Objection {
  std::string stage;  ///< the stage that has found it
  std::string reason; ///< one clause
};

/// What became of a candidate.
struct CandidateVerdict {
  CandidateOutcome outcome = CandidateOutcome::Kept;
  /// What decided; a candidate that is kept may have one too.
  std::optional<Objection> objection = {};
};

/// A candidate on one target.
struct CandidateCode {
  unsigned target = 0; ///< index into the selected targets
  CandidateVerdict verdict = {};
  uint64_t bytes = 0; ///< size of the module; 0 if there is none
  double seconds = 0; ///< wall clock in the back end
};

/// One grain that was considered for a kernel.
struct Candidate {
  unsigned kernel = 0;
  std::string id;                ///< canonical SPEC
  bool requested = false;        ///< by --coarsen
  CandidateVerdict verdict = {}; ///< kept if at least one target kept it
  double seconds = 0;            ///< wall clock of transform and export
  std::vector<CandidateCode> code;
};

} // namespace regrain
