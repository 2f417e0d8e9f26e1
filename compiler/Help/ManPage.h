//===- ManPage.h - Man pages ------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Help/Command.h"

namespace regrain::help {

/// Returns the page "regrain-tune" of section 1 for the command "regrain tune", in the language of
/// man. The subcommands of a subcommand, such as those of `regrain db`, stand on its page.
std::string manPage(const Command &command, const std::string &version);

/// Returns "regrain-tune.1".
std::string manPageName(const Command &command);

} // namespace regrain::help
