//===- PhaseTimes.cpp - Where compile time goes ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Phases/PhaseTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace regrain;

constexpr llvm::StringLiteral phaseNames[phaseCount] = {"frontend", "host",      "facts",
                                                        "import",   "transform", "export",
                                                        "optimise", "generate",  "assemble"};

void PhaseTimes::print(llvm::raw_ostream &stream) const {
  int64_t all = 0;
  for (const std::atomic<int64_t> &time : spent)
    all += time;
  for (auto [name, time] : llvm::zip_equal(phaseNames, spent))
    stream << llvm::format("%-10s %8.3f s %5.1f%%\n", name.data(), double(time) * 1e-9,
                           all ? 100.0 * double(time) / double(all) : 0.0);
}
