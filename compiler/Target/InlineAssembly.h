//===- InlineAssembly.h - Inline PTX to calls -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small set of PTX, one instruction at a time: special registers, barriers,
// fences, bit fields, permutes, prefetches. Anything else stays as it is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Instructions.h"
#include <optional>
#include <string>

namespace regrain {

/// The value that stands for the call of inline assembly `call`, built in front
/// of it (null where it has no result); nothing where the text is not known.
std::optional<llvm::Value *> lowerInlineAssembly(llvm::CallInst &call);

/// The text of inline assembly on one line, for messages.
std::string assemblyText(const llvm::CallInst &call);

} // namespace regrain
