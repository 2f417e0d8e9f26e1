//===- Invocation.h - A clang instance from ordinary flags ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's driver turns the flags that users write into the arguments of one compile job, which then
// runs in this process.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/VersionTuple.h"

namespace regrain {

/// The CUDA release for which clang generates code.
inline const llvm::VersionTuple clangsRelease(12, 5);

/// Returns the flags that both sides have in common: CUDA, our headers, the user's own.
std::vector<std::string> commonFlags(const FrontendOptions &options);

/// Returns a clang instance that is ready to run the one compile job that `flags` ask for, or null
/// after an error. The headers and the tool's name are those of `options`. Diagnostics are printed;
/// those without a source line appear under the name `options.tool`.
std::unique_ptr<clang::CompilerInstance> makeInstance(const std::vector<std::string> &flags,
                                                      const FrontendOptions &options);

/// Runs `action`. An error is always Diagnosed.
llvm::Error execute(clang::CompilerInstance &instance, clang::FrontendAction &action);

} // namespace regrain
