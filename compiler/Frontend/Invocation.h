//===- Invocation.h - Ordinary flags to a clang instance --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's driver turns the flags that users write into the arguments of one
// compile job; the job then runs in this process.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"

namespace regrain {

/// The flags that both sides have in common: CUDA, our headers, the user's own.
std::vector<std::string> commonFlags(const FrontendOptions &options);

/// A clang instance that is ready to run the one compile job that `flags` ask
/// for. Diagnostics are printed, those of no source line under the name `tool`; null
/// after an error.
std::unique_ptr<clang::CompilerInstance> makeInstance(const std::vector<std::string> &flags,
                                                      const std::string &tool);

/// Runs `action`. The error is Diagnosed.
llvm::Error execute(clang::CompilerInstance &instance, clang::FrontendAction &action);

} // namespace regrain
