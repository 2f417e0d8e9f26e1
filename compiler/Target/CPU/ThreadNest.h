//===- ThreadNest.h - Loops over the threads of a block ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace regrain::cpu {

/// A function void(ptr args, ptr block, ptr uniforms) with three loops over the
/// threads of the block around a body to be filled in.
class ThreadNest {
public:
  ThreadNest(llvm::Module &module, llvm::StringRef name);

  /// Runs the body only if `condition` holds; this must be called before anything else is put into
  /// the body.
  void guard(llvm::Value *condition);

  /// Adds a block to the body.
  llvm::BasicBlock *addBlock(llvm::StringRef name);
  /// Returns the block at which the body ends.
  llvm::BasicBlock *latch() const { return latchX; }

  /// Returns the value of a call of regrain_special or regrain_shared_base, or null.
  llvm::Value *special(llvm::Instruction &inst);

  /// Stores the coordinates of the body's thread where the plugin finds them.
  void noteThread(llvm::IRBuilder<> &builder) const;

  /// Marks the accesses of the body as independent between threads.
  void finish();

  llvm::Function *function;
  std::unique_ptr<llvm::IRBuilder<>> entryBuilder; ///< before the loops
  std::unique_ptr<llvm::IRBuilder<>> bodyBuilder;  ///< at the body's start
  llvm::BasicBlock *exit;                          ///< after the loops, empty
  llvm::Value *arena;
  llvm::Value *threads; ///< number of threads in the block, 64 bits
  llvm::Value *linear;  ///< linear index of the thread, 64 bits

private:
  void loadBlock();
  void makeLoops();
  void noteIndex(llvm::IRBuilder<> &builder, unsigned dimension, llvm::Value *index) const;
  llvm::Value *loadField(unsigned index, uint64_t most);

  llvm::Value *fields[16] = {}; ///< by RegrainSpecial
  llvm::Value *shared;
  llvm::BasicBlock *latchX;
  llvm::SmallVector<llvm::BasicBlock *> body;
};

} // namespace regrain::cpu
