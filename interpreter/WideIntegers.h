//===- WideIntegers.h - Integers of more than 64 bits -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide integer is a sequence of words in registers and in memory, so that
// instructions that only move it need nothing from here. Instructions that
// compute with it, or convert it, combine the words. As in Arithmetic.h, an
// undefined bit makes every bit undefined that may depend on it, or more.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "interpreter/Program.h"
#include "llvm/ADT/APInt.h"
#include "llvm/IR/InstrTypes.h"

namespace regrain {

/// A scalar of any width.
struct WideScalar {
  explicit WideScalar(llvm::APInt value)
      : bits(std::move(value)), undefined(bits.getBitWidth(), 0) {}
  WideScalar(llvm::APInt bits, llvm::APInt undefined, bool isPoison = false)
      : bits(std::move(bits)), undefined(std::move(undefined)), isPoison(isPoison) {}

  llvm::APInt bits, undefined;
  bool isPoison = false; ///< if so, all bits are undefined
};

/// Returns a scalar with all bits undefined; it is poison if an operand is.
inline WideScalar wideUnknown(unsigned width, bool isPoison = false) {
  return {llvm::APInt(width, 0), llvm::APInt::getAllOnes(width), isPoison};
}

/// Returns whether an operand or the result is a wide integer or a vector of
/// them.
bool hasWide(const llvm::User &user);

/// Returns whether the instruction takes wide integers word by word.
bool movesWords(const llvm::Instruction &instruction);

/// Returns "zext with i128", for an instruction that is not implemented.
std::string wideName(const llvm::Instruction &instruction);

/// Returns the implementation of an instruction with wide integers that does not
/// only move their words; empty if there is none.
Builtin findWide(const llvm::Instruction &instruction);
/// Finds LLVM's intrinsics among them.
Builtin findWideIntrinsic(const llvm::CallBase &call);

/// Reads an operand of any scalar type; a vector has several lanes.
WideScalar readWide(const Machine &machine, const Thread &thread, const Step &step,
                    unsigned operand, unsigned lane = 0);

/// Writes a scalar of the result, starting at its word `first`.
void writeWide(const Machine &machine, Thread &thread, const Step &step, const WideScalar &value,
               unsigned first = 0);

} // namespace regrain
