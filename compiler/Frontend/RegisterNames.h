//===- RegisterNames.h - Registers of PTX in inline assembly ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In assembly with operands, '%' begins an operand, so that a register of PTX is written
// '%%laneid'. nvcc takes '%laneid', too, which clang refuses. The text of a source is changed
// before clang reads it: the blank in front of such a name becomes the second '%', so that no
// position changes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source with the names doubled, or nothing if there is none to change. A
/// name without a blank in front of it stays.
std::optional<std::string> doubleRegisterNames(llvm::StringRef text);

} // namespace regrain
