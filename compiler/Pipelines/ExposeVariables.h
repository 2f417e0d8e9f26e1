//===- ExposeVariables.h - Make module variables reachable ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Gives external linkage to variables with internal linkage that can be written, because
/// alternatives are separate modules and reach every module variable in the base module. Read-only
/// data stays internal, under a name that every target accepts: each module has its own copy.
/// Shared memory is not a module variable. Returns all variables that an alternative can reach:
/// those of `code.variables`, then the exposed ones.
std::vector<DeviceVariable> exposeVariables(DeviceCode &code);

/// Does the same for read-only data that alternatives take from the base module, and adds it to
/// `variables`.
void exposeConstants(DeviceCode &code, llvm::ArrayRef<std::string> constants,
                     std::vector<DeviceVariable> &variables);

} // namespace regrain
