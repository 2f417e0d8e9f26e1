//===- LaunchFacts.h - Launches as the source shows them --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads kernel<<<grid, block>>>(arguments) from the syntax tree of the host code, which clang also
// builds for the device compile. A size or an argument is known if it is constant, or a variable
// that is assigned one value by name, in its declaration or later. That is only a guess: a variable
// may change through a pointer, and other files may launch the kernel, too. So these facts propose
// what to compile for, and prove nothing.
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

/// Returns the launches of each kernel, by its symbol, in the order of the source; of equal
/// launches only the first. `symbolOf` mangles a kernel's name.
std::map<std::string, std::vector<SeenLaunch>>
findLaunches(clang::ASTContext &context,
             llvm::function_ref<std::string(const clang::FunctionDecl &)> symbolOf);

} // namespace regrain
