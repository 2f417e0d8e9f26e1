//===- LaunchFacts.h - Launches as the source shows them --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads kernel<<<grid, block>>>(arguments) off the syntax tree of the host's code,
// which clang builds for the device compile as well. A size or an argument is
// known where it is constant, or a variable that is given one value by name, when it
// is declared or later. That is a guess: a variable may change through a pointer,
// and other files launch the kernel, too. So facts propose what to compile for
// and license nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace regrain {

/// The launches of each kernel, by its symbol, in the order of the source; of
/// those that show the same, the first. `symbolOf` mangles a kernel's name.
std::map<std::string, std::vector<SeenLaunch>>
findLaunches(clang::ASTContext &context,
             llvm::function_ref<std::string(const clang::FunctionDecl &)> symbolOf);

} // namespace regrain
