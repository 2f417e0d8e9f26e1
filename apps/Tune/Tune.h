//===- Tune.h - regrain tune ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace regrain {

/// `tune [OPTIONS] -- PROGRAM ARGS`: runs PROGRAM, in which the runtime measures, and shows
/// what came of it; docs/tuning.md. argv[0] is the subcommand's name. Returns the
/// program's exit code, 128 and its signal where one ended it; 1 where the command line
/// is wrong or a file cannot be written; 126 and 127 where PROGRAM cannot be started or
/// is not there, as shells do.
int runTune(int argc, char **argv);

} // namespace regrain
