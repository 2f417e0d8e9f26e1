//===- ModuleVariables.h - Static variables of a module ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that loads a module finds its variables by name and may write them, also those with
// internal linkage, and those that no kernel uses. With nvcc, such a variable at global scope has
// its plain name, one in a function its mangled name, and one in a namespace a name with a hash of
// nvcc's own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace regrain {

/// Returns a consumer that makes clang emit the static variables that no code uses. It must precede
/// the one that generates code.
std::unique_ptr<clang::ASTConsumer> keepStaticVariables();

/// Gives the static variables of a module that a program loads external linkage, so that no pass
/// takes their initial values for constant, and those at global scope their plain names; other
/// mangled names remain. A variable whose type is const is left out: no program writes it, and each
/// alternative has a copy of its own.
void showStaticVariables(llvm::Module &device);

/// Removes the variables of the section "regrain_reference". By them nvrtc instantiates what the
/// program names in expressions.
void dropReferences(llvm::Module &device);

} // namespace regrain
