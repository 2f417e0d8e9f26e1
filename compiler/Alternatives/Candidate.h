//===- Candidate.h - What became of a grain that was considered -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace regrain {

enum class CandidateOutcome {
  Kept,
  Refused, ///< not legal, or the target has no code for it
  Pruned,  ///< legal, but not worth keeping
  TimedOut ///< its compile ran past the limit
};

/// A candidate on one target.
struct CandidateCode {
  unsigned target = 0; ///< index into the selected targets
  CandidateOutcome outcome = CandidateOutcome::Kept;
  std::string stage;  ///< the stage that decided; empty if nothing spoke against it
  std::string reason; ///< one clause; for a kept candidate: what spoke against it
  uint64_t bytes = 0; ///< size of the module; 0 if there is none
  double seconds = 0; ///< wall clock in the back end
};

/// One grain that was considered for a kernel.
struct Candidate {
  unsigned kernel = 0;
  std::string id;                                    ///< requested by --coarsen
  bool requested = false;                            ///< by --coarsen
  CandidateOutcome outcome = CandidateOutcome::Kept; ///< kept if at least one target kept it
  std::string stage;
  std::string reason;
  double seconds = 0; ///< wall clock of transform and export
  std::vector<CandidateCode> code;
};

} // namespace regrain
