//===- Guard.h - Work in a process of its own -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Batch.h"

namespace regrain::fuzz {

/// The outcomes of a batch, and the end of its process.
struct GuardedRun {
  std::vector<Outcome> outcomes;
  std::string
      death; ///< "signal 11 (Segmentation fault)", "no answer for 20 s"; empty after a normal end
};

/// Runs a batch in a child process, which is killed if it reports nothing for `seconds` of its
/// own processor time. If it dies, the last outcome, Begun, tells what it was doing. The
/// child's stderr is kept off the terminal.
GuardedRun runGuarded(const std::vector<Subject> &subjects, const BatchOptions &options,
                      unsigned seconds);

} // namespace regrain::fuzz
