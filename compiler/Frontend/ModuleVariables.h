//===- ModuleVariables.h - Static variables of a module ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that loads a module finds its variables by name and may write them, also those with
// internal linkage. With nvcc, such a variable at global scope has its plain name, and one in a
// function its mangled name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Gives the static variables of a module that a program loads external linkage, so that no pass
/// takes their initial values for constant, and those at global scope their plain names. In
/// namespaces, nvcc's names contain a hash of its own; there the mangled name remains.
void showStaticVariables(llvm::Module &device);

} // namespace regrain
