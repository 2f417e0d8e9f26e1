//===- Summary.h - What a run of the fuzzer found ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Batch.h"
#include <map>

namespace regrain::fuzz {

/// A kernel at a grain that does not do what its original does.
struct Finding {
  uint64_t seed = 0;
  std::string grain;
  Verdict verdict = Verdict::Differs; ///< Begun: its process died
  std::string detail;
  std::string file; ///< the reduced program, where one was written

  /// "waits for ever"; of an original that is a matter of its device, not of a grain.
  std::string kind() const;
};

struct Summary {
  uint64_t firstSeed = 0;
  uint64_t kernels = 0;
  uint64_t pairs = 0;       ///< of kernel and alternative that ran and agreed
  uint64_t confirmed = 0;   ///< of these, were interpreted as well
  uint64_t optimised = 0;   ///< of these, were compiled as for a user
  uint64_t cooperating = 0; ///< kernels whose threads cooperate
  uint64_t candidates = 0;  ///< pairs that were tried, legal or not
  uint64_t notRaised = 0;
  double seconds = 0;
  std::map<std::string, uint64_t> refusals; ///< by reason
  std::map<std::string, uint64_t> misfits;  ///< by reason
  std::map<std::string, uint64_t> unable;   ///< why a kernel or a pair was not interpreted
  std::map<std::string, uint64_t> executed; ///< originals and pairs that agree as amdgcn, by chip
  std::map<std::string, uint64_t> forms;    ///< kernels that have each of formsOf()
  std::vector<Finding> findings;

  void count(const Specimen &kernel);
  void count(const Outcome &outcome);
  /// One table for people.
  std::string text() const;
  /// Machine, versions, seeds and all counts.
  std::string json() const;
};

} // namespace regrain::fuzz
