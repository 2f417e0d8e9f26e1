//===- Continuations.h - One continuation per thread ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is the general path. A kernel's body, and each function that stays a call and may wait,
// becomes a coroutine whose frame lies in the thread's part of the arena. The library's scheduler
// resumes the threads in turn (Library/Continuations.c). Functions that need the thread but do not
// wait receive its context.
//
// Legal for every kernel. A function whose address is taken is always a coroutine, so that calls
// through pointers work across modules.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/KernelEntry.h"
#include "compiler/Target/Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::cpu {

/// The functions other than kernels that read the thread's indices, wait, or call such a function.
class ContextFunctions {
public:
  /// With `all`, every function counts as one that needs the context.
  ContextFunctions(llvm::Module &module, llvm::ArrayRef<llvm::Function *> kernels, bool all);
  /// Returns whether the function needs the context of the thread.
  bool needContext(const llvm::Function &function) const { return contexts.contains(&function); }
  /// Returns whether the call may wait for other threads.
  bool mayWaitAt(const llvm::CallInst &call) const;
  /// Returns whether the function may wait for other threads.
  bool maySuspend(const llvm::Function &function) const { return suspending.contains(&function); }
  const llvm::SmallVector<llvm::Function *> &all() const { return ordered; }

private:
  bool grow(llvm::Function &function);
  llvm::SmallVector<llvm::Function *> ordered;
  llvm::SmallPtrSet<const llvm::Function *, 16> contexts, suspending;
};

struct ContinuationOptions {
  DebugInfo debugInfo = DebugInfo::None; ///< if it is full, it describes the coordinates of threads
  bool observed = false; ///< the plugin is told which thread runs, and which threads meet
};

/// Rewrites `kernels` and all functions that need a thread's context, and emits the kernels' run
/// functions. Returns their entries in the order of `kernels`; the caller fills in the static
/// shared bytes.
std::vector<KernelEntry> runAsContinuations(llvm::Module &module,
                                            llvm::ArrayRef<llvm::Function *> kernels,
                                            const ContextFunctions &functions,
                                            const ContinuationOptions &options,
                                            llvm::TargetMachine &machine);

} // namespace regrain::cpu
