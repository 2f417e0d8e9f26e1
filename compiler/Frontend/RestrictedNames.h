//===- RestrictedNames.h - __restrict__ at the name of a type ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes `const __restrict__ uint32_t *p`, where the word qualifies what `p` points at, and
// ignores it: the named type is no pointer. clang refuses the word there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source without each `__restrict__` that qualifies the named type in front
/// of a `*` or `&`, or nothing if there is none. One behind a `*` or `&` stays, and one at a type
/// that keywords name, such as `unsigned`, where nvcc refuses it too. The text ends with a zero.
std::optional<std::string> dropRestrictedNames(llvm::StringRef text);

} // namespace regrain
