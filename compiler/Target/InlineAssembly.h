//===- InlineAssembly.h - Inline PTX to LLVM IR -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This serves targets that have no PTX. It translates code (declarations of registers, instructions
// with optional predicates, labels and branches) if all of its instructions are known. Otherwise
// the assembly is kept.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include <string>

namespace regrain {

/// Replaces `call`, a call of inline assembly, by instructions and calls of the device library, and
/// erases it. If an instruction is not known, the call is kept and assemblyText() names that
/// instruction.
void lowerInlineAssembly(llvm::CallInst &call);

/// Does the same for all calls that `isKept` does not keep. Functions of the device library that
/// the instructions call become the intrinsics that they are named after, such as nvvm_d2i_rz.
void lowerInlineAssembly(llvm::Module &module,
                         llvm::function_ref<bool(const llvm::CallInst &)> isKept);

/// Returns a text for messages, on one line: the instruction because of which inline assembly could
/// not be lowered, or else the whole text.
std::string assemblyText(const llvm::CallInst &call);

} // namespace regrain
