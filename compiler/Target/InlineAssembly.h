//===- InlineAssembly.h - Inline PTX to LLVM IR -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For targets that have no PTX: straight-line code (declarations of registers,
// instructions, predicates in front of them) whose instructions are all known. One
// that is not leaves the assembly as it is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include <string>

namespace regrain {

/// Puts instructions and calls of the device library in place of `call`, inline
/// assembly, and erases it. Where an instruction is not known, the call stays and
/// assemblyText() names that instruction.
void lowerInlineAssembly(llvm::CallInst &call);

/// For messages: the instruction for which inline assembly could not be lowered, else
/// the whole text, on one line.
std::string assemblyText(const llvm::CallInst &call);

} // namespace regrain
