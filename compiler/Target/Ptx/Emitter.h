//===- Emitter.h - Inline PTX as LLVM IR ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates one instruction at a time, over registers that are variables of a function.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/PtxText.h"
#include "llvm/IR/IRBuilder.h"
#include <utility>

namespace regrain::ptx {

/// The state that the instructions of one piece of inline assembly share.
struct Registers {
  std::vector<llvm::AllocaInst *> declared; ///< by number
  std::vector<llvm::Value *> arguments;     ///< by number; outputs are also variables
  std::vector<bool> isOutput;               ///< for each of `arguments`
  llvm::AllocaInst *carry = nullptr;
  bool carryIsSet = false; ///< set by an instruction of the same assembly
};

/// The part of one opcode that has not been read yet, and its operands as values.
class Emitter {
public:
  Emitter(llvm::IRBuilder<> &builder, Registers &registers, const Instruction &instruction);

  /// Removes `word` from the opcode; returns false if it is not the next word.
  bool take(llvm::StringRef word);

  /// Removes and returns the first of `words` that comes next; empty if none does.
  llvm::StringRef takeAny(std::initializer_list<llvm::StringRef> words);

  /// Removes the name of a state space; returns the generic address space if none comes next.
  AddressSpace takeSpace();

  /// Removes the last word, which is a type.
  std::optional<Type> takeType();

  /// Returns whether the opcode is understood completely and has `operands` operands.
  bool isRead(size_t operands) const;

  llvm::Type *llvmType(Type type) const;

  /// Returns operand `index` as a value of `type`; null if it is not a value. `cut` takes the low
  /// part of a wider register, as ld, st and cvt do.
  llvm::Value *value(size_t index, Type type, bool cut = false);
  llvm::Value *value(const Operand &operand, llvm::Type *type, bool cut = false);

  /// Writes operand `index`; returns false if it is not a suitable register. `extend` fills a wider
  /// register, with the sign if `isSigned`.
  bool set(size_t index, llvm::Value *value, bool extend = false, bool isSigned = false);
  bool set(const Operand &operand, llvm::Value *value, bool extend = false, bool isSigned = false);

  llvm::Value *carry();
  void setCarry(llvm::Value *bit);

  /// Calls a function of the target's device library.
  llvm::CallInst *call(llvm::StringRef name, llvm::Type *result,
                       llvm::ArrayRef<llvm::Value *> arguments);

  llvm::LLVMContext &context() const { return builder.getContext(); }

  llvm::IRBuilder<> &builder;
  const Instruction &instruction;

private:
  llvm::Value *readVariable(llvm::AllocaInst &variable);
  llvm::Value *special(llvm::StringRef name, llvm::Type *type);
  llvm::Value *fitted(llvm::Value *value, llvm::Type *type, bool cut);

  Registers &registers;
  llvm::SmallVector<llvm::StringRef, 8> words;
};

/// Returns [a+4] as a pointer into the space; null if it is no such address. A 32-bit number may be
/// a shared address.
llvm::Value *addressOf(Emitter &emitter, const Operand &operand, AddressSpace space);

/// Returns the pointer into the block's shared memory whose low 32 bits are `word`.
llvm::Value *sharedPointer(Emitter &emitter, llvm::Value *word);

/// Compares numbers with signs by eq, ne, lt, le, gt or ge; returns 1 or 0 of their type, and null
/// for another name.
llvm::Value *compareSigned(Emitter &emitter, llvm::StringRef name, llvm::Value *a, llvm::Value *b);

/// Each of these emits one kind of instruction. It returns false for an instruction that it does
/// not know; what it has built until then is discarded.
bool emitInteger(Emitter &emitter, llvm::StringRef name);
bool emitFloating(Emitter &emitter, llvm::StringRef name);
bool emitBits(Emitter &emitter, llvm::StringRef name);
bool emitMove(Emitter &emitter, llvm::StringRef name);
bool emitComparison(Emitter &emitter, llvm::StringRef name);
bool emitMemory(Emitter &emitter, llvm::StringRef name);
bool emitCopy(Emitter &emitter, llvm::StringRef name);
bool emitTexture(Emitter &emitter, llvm::StringRef name);
bool emitVideo(Emitter &emitter, llvm::StringRef name);
bool emitWordVideo(Emitter &emitter, llvm::StringRef name);
bool emitCluster(Emitter &emitter, llvm::StringRef name);
bool emitFragment(Emitter &emitter, llvm::StringRef name);
bool emitMatrix(Emitter &emitter, llvm::StringRef name);
bool emitLibraryCall(Emitter &emitter, llvm::StringRef name);

} // namespace regrain::ptx
