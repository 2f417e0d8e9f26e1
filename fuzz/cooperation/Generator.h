//===- Generator.h - Random programs whose threads cooperate ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/cooperation/Program.h"

namespace regrain::fuzz::cooperation {

/// Returns the program of a seed.
Program generate(uint64_t seed);

/// Returns programs that are one step smaller, the largest steps first.
std::vector<Program> smallerForms(const Program &program);

} // namespace regrain::fuzz::cooperation
