//===- Database.h - regrain db ----------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Implements `db list|show|export|import|merge|forget|check`, see
/// docs/tuning-database.md. argv[0] is the subcommand's name. Returns the exit code:
/// 1 if the command line, an input or the database is invalid, or a glob matches
/// nothing.
int runDatabase(int argc, char **argv);

/// Returns the description of `regrain db`.
help::Command describeDatabase();

} // namespace regrain
