//===- MemberTemplates.h - Calls of templates without `template` *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc reads the body of a template when it is instantiated, and takes
//
//   Conversion<To, From>::cast<4>(to, from);
//
// for a call of a member template. C++ and clang read it in the template, where nothing is known of
// the member: two comparisons. They take the call with `template` in front of the name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source with the word in statements that are such a call, or nothing if
/// there is none. As two comparisons, a statement would do nothing. The word takes the place of
/// blanks of the statement; without so many, the statement stays. The text ends with a zero.
std::optional<std::string> nameMemberTemplates(llvm::StringRef text);

} // namespace regrain
