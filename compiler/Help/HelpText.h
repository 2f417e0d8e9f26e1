//===- HelpText.h - What --help prints --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain::help {

/// Returns the help of a command, in lines of at most 80 columns where words allow that.
std::string helpText(const Command &command);

} // namespace regrain::help
