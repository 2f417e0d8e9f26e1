//===- DebugInformation.h - Source lines and variables ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code between two waits keeps the lines of the kernel, in whose run function it is inlined, or
// whose description it has a copy of.
// For a debugger, each function also gets the variables threadIdx, blockIdx, blockDim and gridDim,
// as CUDA names them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain::cpu {

/// Removes the debug information that is not asked for, and everything in the rest that only
/// nvptx64 has.
void reduceDebugInfo(llvm::Module &module, DebugInfo kept);

/// Makes `target` the function that the debug information describes in place of `source`.
void moveSubprogram(llvm::Function &source, llvm::Function &target);

/// Gives `part`, whose instructions are clones of those of `source`, a copy of the description of
/// `source`, which also describes the lines of the instructions. Returns the function that replaces
/// `part`; this is `part` if `source` has no debug information.
llvm::Function *copySubprogram(const llvm::Function &source, llvm::Function &part);

/// Describes the coordinates as variables of `function`, which has debug information and is not yet
/// a coroutine. `context` is a RegrainThread. Addresses of variables are kept in memory, where code
/// that is not optimised finds them everywhere.
void describeVariables(llvm::Function &function, llvm::Value &context);

/// Completes the debug information of a function that may be part of a split coroutine. A part that
/// runs after a wait gets a name of its own, so that a breakpoint on the coroutine's name stops
/// only at its start.
void describeCoroutine(llvm::Function &function);

} // namespace regrain::cpu
