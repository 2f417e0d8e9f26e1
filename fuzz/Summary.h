//===- Summary.h - Results of a run of the fuzzer ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Batch.h"
#include <map>

namespace regrain::fuzz {

/// A kernel at a grain whose result differs from its original's.
struct Finding {
  uint64_t seed = 0;
  std::string grain;
  Verdict verdict = Verdict::Differs; ///< Begun: its process died
  std::string detail;
  std::string file; ///< the reduced program, if one was written

  /// Returns "waits for ever" or the like; for an original, this concerns its device,
  /// not a grain.
  std::string kind() const;
};

struct Summary {
  uint64_t firstSeed = 0;
  uint64_t kernels = 0;
  uint64_t pairs = 0;       ///< pairs of kernel and alternative that ran and agreed
  uint64_t confirmed = 0;   ///< of these, pairs that were also interpreted
  uint64_t optimised = 0;   ///< of these, pairs that were compiled as for a user
  uint64_t cooperating = 0; ///< kernels whose threads cooperate
  uint64_t patterns = 0;    ///< kernels of known forms
  uint64_t candidates = 0;  ///< pairs that were tried, whether legal or not
  uint64_t notRaised = 0;
  double seconds = 0;
  std::map<std::string, uint64_t> refusals; ///< by reason
  std::map<std::string, uint64_t> misfits;  ///< by reason
  std::map<std::string, uint64_t> unable;   ///< reasons why a kernel or a pair was not interpreted
  std::map<std::string, uint64_t> executed; ///< originals and pairs that agree as amdgcn, by chip
  std::map<std::string, uint64_t> words; ///< agreeing pairs whose grain has "split=32" or the like
  std::map<std::string, uint64_t> forms; ///< kernels that have each of formsOf()
  std::vector<Finding> findings;

  void count(const Specimen &kernel);
  void count(const Outcome &outcome);
  /// Returns one table as text.
  std::string text() const;
  /// Returns the machine, the versions, the seeds and all counts as JSON.
  std::string json() const;

private:
  void countKeys(const std::string &grain);
};

} // namespace regrain::fuzz
