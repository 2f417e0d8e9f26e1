//===- Tune.h - regrain tune ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Implements `tune [OPTIONS] -- PROGRAM ARGS`: runs PROGRAM, in which the runtime
/// measures, and shows the results; see docs/tuning.md. argv[0] is the subcommand's name.
/// Returns the program's exit code, or 128 plus its signal if one ended it; 1 if the
/// command line is invalid or a file cannot be written; 126 and 127 if PROGRAM cannot be
/// started or does not exist, as in shells.
int runTune(int argc, char **argv);

/// Returns the description of `regrain tune`.
help::Command describeTune();

} // namespace regrain
