//===- HostCompiler.h - Commands that other programs run --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host compiler compiles what is not CUDA, and links.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/Installation.h"

namespace regrain {

using Command = std::vector<std::string>;

/// Compiles `source`, or preprocesses it where that is asked for (then
/// `output` "-" is stdout).
Command compileCommand(const CommandLine &line, const Installation &installation,
                       const Item &source, llvm::StringRef output,
                       llvm::ArrayRef<std::string> dependencyFlags);

/// Links `inputs` (files and flags, in order) and the runtime into `output`.
Command linkCommand(const CommandLine &line, const Installation &installation,
                    llvm::ArrayRef<std::string> inputs, llvm::StringRef output);

/// The command as a shell would take it.
std::string quoted(const Command &command);

/// Runs `command` and waits. Its own diagnostics go to stderr; the error is
/// then Diagnosed, else it says why it could not be run.
llvm::Error runCommand(const Command &command);

/// Ends the command that is running now, if one is, and removes what
/// OutputFile has not kept. For the handler of an interrupt.
void abandonCommand();

} // namespace regrain
