//===- CycleCounter.h - Definitions of __rdtsc ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang declares __rdtsc for x86 whether or not a header does, so it refuses a program that defines
// the function itself, as gcc does not. Calls are clang's own, and the definition gets another
// name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source whose definitions of __rdtsc are named otherwise, or nothing if it
/// has none, or where clang does not declare the function. The text ends with a zero.
std::optional<std::string> renameCycleCounters(llvm::StringRef text);

} // namespace regrain
