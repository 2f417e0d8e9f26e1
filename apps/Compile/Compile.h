//===- Compile.h - regrain cc, regrain explain ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Report/Why.h"

namespace regrain {

/// Implements `regrain cc FLAGS FILES`, and regrain-nvcc: compiles and links as nvcc does.
/// Returns the exit code.
int runCompiler(int argc, char **argv);

/// Implements `regrain explain FILE or cc-flags`: runCompiler with --explain. Reports
/// for each kernel which grains it can have, and why it cannot have the others, or answers
/// --why with what `lookUp` knows of tuning. Returns the exit code: 2 if the grain of --why is not
/// legal.
int runExplain(int argc, char **argv, report::TuningLookup lookUp);

} // namespace regrain
