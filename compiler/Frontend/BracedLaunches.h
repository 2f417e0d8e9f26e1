//===- BracedLaunches.h - Launches with extents in braces -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes `kernel<<<{1}, {32, 2}>>>(x);`, whose lists initialise the parameters of a launch.
// clang only takes expressions there, so each list gets the type of its parameter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source whose launches have `dim3(1)` in place of `{1}`, which makes it
/// longer, or nothing if they have no lists. Behind an angle bracket in a launch it is not known
/// which parameter an argument is for, so lists stay as they are there. A macro that makes a string
/// of a launch makes it of the changed text. The text ends with a zero.
std::optional<std::string> nameBracedArguments(llvm::StringRef text);

} // namespace regrain
