//===- AssemblyForms.h - nvcc's forms of inline assembly --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes two forms of assembly with operands that clang refuses. The text of a source is
// changed before clang reads it:
//
// - '%' begins an operand, so that a register of PTX is written '%%laneid'. nvcc takes '%laneid',
//   too: the '%' is doubled.
// - nvcc takes operands without a comma between them, as in '"r"(x) "l"(p)': it is added.
//
// clang demands that a file keeps its size. So a new character replaces the blank in front of it,
// or another blank of the statement goes. If there is none, the statement stays as it is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace regrain {

/// Returns the text of a source with clang's forms, or nothing if there is nothing to change.
std::optional<std::string> completeAssembly(llvm::StringRef text);

} // namespace regrain
