//===- CompileCommands.h - regrain compile-commands -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Implements `regrain compile-commands`: rewrites a compile_commands.json for tools that know
/// clang's options alone. argv[0] is the subcommand's name. Returns the exit code.
int runCompileCommands(int argc, char **argv);

/// Returns the description of `regrain compile-commands`.
help::Command describeCompileCommands();

} // namespace regrain
