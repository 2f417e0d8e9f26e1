//===- Keep.h - Findings stored as programs ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Batch.h"

namespace regrain::fuzz {

struct KeepOptions {
  std::string folder;
  unsigned reduceSeconds = 120;
};

/// Reduces `kernel`, for which `outcome` was found, and writes it as a program
/// with its test lines. Returns the path; empty if it cannot be written, which
/// has been reported.
std::string keep(const Specimen &kernel, const Outcome &outcome, const BatchOptions &options,
                 const KeepOptions &keepOptions);

} // namespace regrain::fuzz
