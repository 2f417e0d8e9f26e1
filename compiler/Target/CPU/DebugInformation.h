//===- DebugInformation.h - Source lines and variables ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code between two waits keeps the lines of the kernel, in whose run function it is inlined.
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

/// Completes the debug information of a function that may be part of a split coroutine. A part that
/// runs after a wait gets a name of its own, so that a breakpoint on the coroutine's name stops
/// only at its start. Addresses of variables are kept in memory, where code that is not optimised
/// finds them everywhere.
void describeCoroutine(llvm::Function &function);

/// Describes the coordinates as variables of `function`, whose body starts in its entry block and
/// which has debug information. `context` is a RegrainThread.
void describeCoordinates(llvm::Function &function, llvm::Value &context);

} // namespace regrain::cpu
