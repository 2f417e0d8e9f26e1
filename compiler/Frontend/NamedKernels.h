//===- NamedKernels.h - Instances that the program itself names -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace regrain {

/// Returns the symbols of the kernels that the host side may register: all but those instances of
/// templates that only the macros of variants.h name, which are empty there. Returns nothing if
/// that header is not included. `symbolOf` mangles a kernel's name.
std::set<std::string>
findNamedKernels(clang::ASTContext &context,
                 llvm::function_ref<std::string(const clang::FunctionDecl &)> symbolOf);

} // namespace regrain
