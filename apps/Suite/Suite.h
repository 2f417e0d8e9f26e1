//===- Suite.h - regrain suite ----------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Implements `suite [OPTIONS] DIR`: builds, runs and compares each program below
/// DIR. argv[0] is the subcommand's name. Returns the exit code: 0 if everything
/// that was compared is right; 1 if something is wrong, nothing could be compared
/// (or, with --build-only, built), or the command line or the folder is invalid.
int runSuite(int argc, char **argv);

/// Returns the description of `regrain suite`.
help::Command describeSuite();

} // namespace regrain
