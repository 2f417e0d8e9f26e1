//===- LaunchBrackets.h - Brackets of launches with blanks in them -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes `kernel << <grid, block >> >(x);`, which formatters write that do not know CUDA. clang
// only takes `<<<` and `>>>`. The last bracket moves to the others, and the blanks behind them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source whose launches have brackets without blanks, or nothing if they
/// have none. As in nvcc, `<<` and `<` are in one line, and `>>` and `>` may be in two. The text
/// ends with a zero.
std::optional<std::string> joinLaunchBrackets(llvm::StringRef text);

} // namespace regrain
