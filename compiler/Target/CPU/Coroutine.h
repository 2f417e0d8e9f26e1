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

/// Turns a function that returns a pointer into a switched-resume coroutine,
/// before CoroSplit. Its frame comes from regrain_frame_push(context, bytes). A
/// caller runs it up to its first suspension, resumes it until it is done, and
/// destroys it.
class Coroutine {
public:
  /// `result`: where the value of a return goes; null for none.
  Coroutine(llvm::Function &function, llvm::Value *context, llvm::Value *result);

  /// Replaces a call of regrain_wait: hands in the operands and suspends.
  void awaitRelease(llvm::CallInst &wait);
  /// Replaces a call by one of the coroutine `callee`, suspending with it.
  void awaitCall(llvm::CallInst &call, llvm::Value *callee);
  /// Completes the function; to be called once, after all the others.
  void finish();

private:
  /// Suspends in front of `inst`, which begins the block that runs on resuming.
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
