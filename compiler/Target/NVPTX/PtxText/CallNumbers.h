//===- CallNumbers.h - Numbers of calls in PTX ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM numbers the calls of all modules of a process in the order in which it meets them, and
// writes the number of a call into a comment and into the name of its prototype:
//
//   { // callseq 7, 0
//   prototype_7 : .callprototype (.param .b32 _) _ (.param .b32 _);
//
// Modules are compiled by several threads, so these numbers differ from run to run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace regrain::nvptx {

/// Returns `ptx`, as LLVM writes it, with the calls numbered from 0 in the order of the text.
[[nodiscard]] std::string renumberCalls(llvm::StringRef ptx);

} // namespace regrain::nvptx
