//===- Completion.h - Completion in shells ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function returns a script that completes the subcommands of `command`, their options and the
// values of these. After an argument "-- PROGRAM", the program's own words follow.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain::help {

/// Another program that takes the arguments of a subcommand: regrain-nvcc those of "regrain cc".
struct OtherName {
  std::string program, command;
};

std::string bashCompletion(const Command &command, const OtherName &other);
std::string zshCompletion(const Command &command, const OtherName &other);
std::string fishCompletion(const Command &command, const OtherName &other);

} // namespace regrain::help
