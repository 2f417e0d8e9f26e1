//===- Patterns.h - Random programs of known forms --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some grains are legal for programs of one form only, which statements drawn one by one do not
// have by chance. A pattern is such a form: it draws the details, and knows grains that fit. Each
// program writes the same bytes for any order of its threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/cooperation/Program.h"

namespace regrain::fuzz::patterns {

class Writer;

struct PatternKind {
  const char *name; ///< its name in the summary
  unsigned weight;  ///< how often it is drawn, relative to the others
  void (*write)(Writer &writer);
  /// The percentage of seeds that it takes from those with a weight, by random numbers of its own:
  /// the programs of the other seeds are as they would be without it.
  unsigned share = 0;
};

/// Returns all patterns. Plans refer to them by their numbers in this list.
const std::vector<PatternKind> &patternKinds();

cooperation::Program generate(uint64_t seed);

/// Builds the program of a plan whose only act is a pattern.
cooperation::Program build(const cooperation::Plan &plan);

void writeLevels(Writer &w);
void writeRows(Writer &w);
void writeThreadRows(Writer &w);
void writeWarpRows(Writer &w);
void writeAddresses(Writer &w);
void writeNumbers(Writer &w);
void writeTiles(Writer &w);
void writeWindows(Writer &w);
void writeTransposes(Writer &w);
void writeCounters(Writer &w);
void writeStrides(Writer &w);
void writeWalks(Writer &w);
void writeEnds(Writer &w);
void writeArrays(Writer &w);
void writeParts(Writer &w);
void writeLimits(Writer &w);
void writeVariables(Writer &w);
void writeStages(Writer &w);
void writeWideTiles(Writer &w);
void writeRings(Writer &w);

} // namespace regrain::fuzz::patterns
