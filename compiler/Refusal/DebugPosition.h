//===- DebugPosition.h - Where LLVM IR comes from ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The location of an inlined instruction is a chain: the place in the inlined function, then that
// of each call, up to the function that contains the instruction.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/SourcePosition.h"

namespace llvm {
class DILocation;
class Function;
} // namespace llvm

namespace regrain {

/// Returns the place that `location` itself names; unknown if it is null or has no line, as code
/// that the compiler has added.
[[nodiscard]] SourcePosition positionOf(const llvm::DILocation *location);

/// Returns where `function` is defined, without a column.
[[nodiscard]] SourcePosition definitionOf(const llvm::Function &function);

/// Returns the last call of the chain, or `location` itself if nothing was inlined.
[[nodiscard]] const llvm::DILocation *outermost(const llvm::DILocation *location);

/// Returns whether `location` is in the file that defines `function`.
[[nodiscard]] bool isInFileOf(const llvm::Function &function, const llvm::DILocation *location);

/// Returns the first place of the chain that is in the file that defines `function`, or `location`
/// itself if there is none.
[[nodiscard]] const llvm::DILocation *innermostInFileOf(const llvm::Function &function,
                                                        const llvm::DILocation *location);

} // namespace regrain
