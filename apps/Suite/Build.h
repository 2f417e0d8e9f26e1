//===- Build.h - Build a program with its own Makefile ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Suite/Program.h"

namespace regrain::suite {

/// Returns the environment for a command of a program: `added` ("NAME=value"), and the caller's
/// variables without NVCC_*, REGRAIN_* and MAKE*. Our compiler is first on PATH, and the names that
/// build systems use have the toolkit's folder.
std::vector<std::string> environmentFor(const Workspace &workspace,
                                        const std::vector<std::string> &added = {});

/// Returns arguments for make that replace the compiler: each variable of the
/// Makefile whose value begins with an nvcc, and each that names a toolkit's
/// folder.
std::vector<std::string> replacements(const std::filesystem::path &folder,
                                      const std::filesystem::path &log, const Workspace &workspace,
                                      const Options &options);

/// Runs make in the folder, and rebuilds everything.
StepResult build(const std::filesystem::path &folder, const std::filesystem::path &log,
                 const std::vector<std::string> &replaced, const Workspace &workspace,
                 const Options &options);

/// Returns the kernels in the programs and shared objects below a folder, by
/// name.
std::vector<KernelResult> kernelsIn(const std::filesystem::path &folder);

} // namespace regrain::suite
