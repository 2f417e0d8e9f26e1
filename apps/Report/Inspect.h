//===- Inspect.h - regrain inspect ------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Implements `inspect [OPTION]... FILE`: shows the contents of the images in FILE. argv[0] is the
/// subcommand's name. Returns the exit code: 1 if the command line is invalid, the file cannot be
/// read, has no image, or has a damaged one.
int runInspect(int argc, char **argv);

/// Returns the description of `regrain inspect`.
help::Command describeInspect();

} // namespace regrain
