//===- Pages.h - Man pages and completion on disk ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain {

/// Writes the man pages of the command and its subcommands, and its completion in bash, zsh and
/// fish, into folder/man/man1 and the shells' own folders beside it, as they lie in /usr/share.
/// Returns the path that cannot be written; empty if all are.
std::string writePages(const help::Command &command, const std::string &folder);

} // namespace regrain
