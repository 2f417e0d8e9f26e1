//===- VariableArrays.h - Pointers to arrays of variable length -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host compilers take `double (*u)[m][n] = (double (*)[m][n])p;` with variables m and n. For clang,
// the two types of C++ differ, although they are written alike: no two types with such lengths are
// the same one. The type of the declaration becomes `auto`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source with `auto` for each pointer to an array that a cast to the type of
/// the same words initialises, or nothing if there is none. A declaration of several variables
/// stays, and one in more than a line. The text ends with a zero.
std::optional<std::string> deduceArrayPointers(llvm::StringRef text);

} // namespace regrain
