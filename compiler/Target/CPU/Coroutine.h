//===- Coroutine.h - A function as an LLVM coroutine ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace regrain::cpu {

/// Moves the allocas of fixed size to the start of a function's entry block, where they stay if
/// inlining splits the block.
void moveAllocas(llvm::BasicBlock &from, llvm::BasicBlock &entry);

/// Turns a function that returns a pointer into a switched-resume coroutine, as before CoroSplit.
/// Its frame comes from regrain_frame_push(context, bytes). A caller runs it up to its first
/// suspension, resumes it until it is done, and destroys it.
class Coroutine {
public:
  /// Starts the rewriting. `result` is where the value of a return is stored; null if there is
  /// none.
  Coroutine(llvm::Function &function, llvm::Value *context, llvm::Value *result);

  /// Replaces a call of regrain_wait: passes the operands to the scheduler and suspends.
  void awaitRelease(llvm::CallInst &wait);
  /// Replaces a call by one of the coroutine `callee`, and suspends whenever that does.
  void awaitCall(llvm::CallInst &call, llvm::Value *callee);
  /// Completes the function; it must be called once, after all other members.
  void finish();

private:
  /// Suspends before `inst`, at which execution resumes.
  void suspendBefore(llvm::Instruction *inst);
  void emitEntry();
  void emitReturns();

  llvm::Function &function;
  llvm::Module &module;
  llvm::Value *context, *result;
  llvm::Value *id = nullptr, *frame = nullptr, *handle = nullptr;
  llvm::BasicBlock *cleanup, *suspended;
};

} // namespace regrain::cpu
