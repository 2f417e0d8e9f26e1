//===- HostCompiler.h - Commands that run other programs --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host compiler compiles sources that are not CUDA, and links.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Driver/CommandLine.h"
#include "compiler/Driver/Installation.h"

namespace regrain {

using Command = std::vector<std::string>;

/// Returns the frontend's options of the line with the folders of headers.
FrontendOptions withHeaders(const CommandLine &line, const Installation &installation);

/// Fails if `inputs` name a library such as -lcublas that no toolkit has, and that this build of
/// Regrain does not have, either.
llvm::Error checkMathLibraries(const CommandLine &line, const Installation &installation,
                               llvm::ArrayRef<std::string> inputs);

/// Returns the command that compiles `source`, or preprocesses it if that is asked for (then
/// `output` "-" is stdout). `flags` follow those of the command line.
Command compileCommand(const CommandLine &line, const Installation &installation,
                       const Item &source, llvm::StringRef output,
                       llvm::ArrayRef<std::string> flags);

/// Returns the command that links `inputs` (files and flags, in order) and the runtime into
/// `output`.
Command linkCommand(const CommandLine &line, const Installation &installation,
                    llvm::ArrayRef<std::string> inputs, llvm::StringRef output);

/// Returns the command as one would type it in a shell.
std::string quoted(const Command &command);

/// Runs `command` and waits for it. Its own diagnostics go to stderr, and the error is then
/// Diagnosed; otherwise the error says why the command could not be run.
llvm::Error runCommand(const Command &command);

/// Ends the command that is running, if any, and removes files that OutputFile has not kept. This
/// is called by the handler of an interrupt.
void abandonCommand();

} // namespace regrain
