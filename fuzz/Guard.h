//===- Guard.h - Work in a process of its own -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Batch.h"

namespace regrain::fuzz {

/// What a batch said, and how its process ended.
struct GuardedRun {
  std::vector<Outcome> outcomes;
  std::string death; ///< "signal 11", "no answer for 20 s"; empty where it ended well
};

/// Runs a batch in a child process, which is ended where it says nothing for
/// `seconds` of its own processor time. What it was at when it died is the last outcome, Begun.
/// What the child writes to stderr is kept off the terminal.
GuardedRun runGuarded(const std::vector<Subject> &subjects, const BatchOptions &options,
                      unsigned seconds);

} // namespace regrain::fuzz
