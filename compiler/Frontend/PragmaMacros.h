//===- PragmaMacros.h - Macros whose text is a pragma -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's parser reads what a preprocessor has written, so a macro may expand to a pragma:
//
//   #define UNROLL #pragma unroll        becomes        #define UNROLL __PRAG(unroll)
//
// clang takes '#' in an expansion for a token of the program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// The option that defines the macro '__PRAG'. The name is so short that a change keeps the size of
/// the text.
constexpr llvm::StringLiteral pragmaMacroFlag = "-D__PRAG(...)=_Pragma(#__VA_ARGS__)";

/// Returns the source with '_Pragma' in macros whose whole text is a pragma in the same line, or
/// nothing if it has none. The text ends with a zero.
std::optional<std::string> expandToPragmas(llvm::StringRef text);

} // namespace regrain
