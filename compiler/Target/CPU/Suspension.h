//===- Suspension.h - Placeholders of the CUDA thread -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the built-ins are lowered, everything that depends on the CUDA thread goes through a few
// functions without a body, which the code generators replace. This header names these
// placeholders.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/Library/Machine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace regrain::cpu {

/// uint32_t(uint32_t which): an index or a size; `which` is a RegrainSpecial.
inline constexpr llvm::StringLiteral specialName = "regrain_special";
/// ptr(): the block's shared memory.
inline constexpr llvm::StringLiteral sharedBaseName = "regrain_shared_base";
/// ptr(uint32_t index): a __shared__ variable, see SharedMemory.h.
inline constexpr llvm::StringLiteral sharedVariableName = "regrain_shared_variable";
/// uint64_t(wait, mask, a, b, c): waits for other threads; `wait` is a
/// RegrainWait and a constant.
inline constexpr llvm::StringLiteral waitName = "regrain_wait";
/// void(barrier, expected): arrives at a named barrier without waiting.
inline constexpr llvm::StringLiteral arriveName = "regrain_arrive";

/// Declares regrain_wait in `module`.
inline llvm::FunctionCallee waitFunction(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  llvm::FunctionCallee wait = module.getOrInsertFunction(waitName, i64, i32, i32, i64, i32, i32);
  llvm::cast<llvm::Function>(wait.getCallee())->setConvergent();
  return wait;
}

/// Returns the call of a placeholder, or null.
inline llvm::CallInst *callOf(llvm::Instruction &inst, llvm::StringRef name) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&inst);
  if (!call || !call->getCalledFunction())
    return nullptr;
  return call->getCalledFunction()->getName() == name ? call : nullptr;
}

/// Returns true for the names above: functions that code generation replaces.
inline bool isPlaceholder(llvm::StringRef name) {
  return name == specialName || name == sharedBaseName || name == sharedVariableName ||
         name == waitName || name == arriveName;
}

/// Returns the RegrainWait of a call of regrain_wait.
inline unsigned waitKind(const llvm::CallInst &wait) {
  return llvm::cast<llvm::ConstantInt>(wait.getArgOperand(0))->getZExtValue();
}

} // namespace regrain::cpu
