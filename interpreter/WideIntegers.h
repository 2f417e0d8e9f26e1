//===- WideIntegers.h - Integers of more than 64 bits -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide integer lies in registers and in memory as a row of words, so that what
// only moves it needs nothing of what is here. What computes with it, or with its
// conversion, takes the words together. As Arithmetic.h has it, an undefined bit
// makes undefined what may depend on it, or more.
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
  bool isPoison = false; ///< then all bits are undefined
};

/// Nothing is known of it; poison where what it is computed from is.
inline WideScalar wideUnknown(unsigned width, bool isPoison = false) {
  return {llvm::APInt(width, 0), llvm::APInt::getAllOnes(width), isPoison};
}

/// Whether an operand or the result is a wide integer or a vector of them.
bool hasWide(const llvm::User &user);

/// Whether the instruction takes wide integers word by word.
bool movesWords(const llvm::Instruction &instruction);

/// "zext with i128", for what nothing runs.
std::string wideName(const llvm::Instruction &instruction);

/// What runs an instruction with wide integers that does not just move their words;
/// empty if nothing does.
Builtin findWide(const llvm::Instruction &instruction);
/// Of these, LLVM's intrinsics.
Builtin findWideIntrinsic(const llvm::CallBase &call);

/// An operand, of which a vector has several lanes, whatever its scalar type.
WideScalar readWide(const Machine &machine, const Thread &thread, const Step &step,
                    unsigned operand, unsigned lane = 0);

/// Writes a scalar of the result from its scalar `first` on.
void writeWide(const Machine &machine, Thread &thread, const Step &step, const WideScalar &value,
               unsigned first = 0);

} // namespace regrain
