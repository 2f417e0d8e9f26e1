//===- Sanitize.h - Sanitizers of device code -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code is instrumented while a kernel is still the code of one thread, so that only accesses
// of the program are checked, and not those to frames of continuations. clang has marked the
// functions to instrument. The checks of UndefinedBehaviorSanitizer are already in the IR.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/SharedMemory.h"
#include "compiler/Target/Target.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::cpu {

/// Instruments the functions of a retargeted module.
void instrument(llvm::Module &module, const Sanitizers &sanitizers, llvm::TargetMachine &machine);

/// Makes accesses to `gaps` in a block's shared memory errors while `run` runs the block.
void guardShared(llvm::Function &run, llvm::ArrayRef<SharedGap> gaps);

} // namespace regrain::cpu
