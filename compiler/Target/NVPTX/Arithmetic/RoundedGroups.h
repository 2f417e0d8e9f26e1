//===- RoundedGroups.h - Quotients and roots that are joined ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"

namespace regrain::nvptx {

/// The range of dividends and divisors that have a fast way, by their magnitudes. Zero as a
/// dividend has one, too. Quotients are then at least 2^-125, and what a division leaves is exact.
constexpr float leastDividend = 0x1p-90f, mostDivisor = 0x1p35f;
/// The least radicand, from which a root's product with itself has an exact difference.
constexpr float leastRadicand = 0x1p-101f;

/// Returns the operand of an exact square root of a float, or null.
llvm::Value *radicandOf(const llvm::Instruction &instruction);

/// Returns whether the instruction is an exact quotient of floats that may have a fast way.
bool isQuotient(const llvm::Instruction &instruction);

/// Returns whether the dividend 0 is worth a fast way. It is not where only a root uses the
/// quotient, because the root of 0 has none.
bool takesZero(const llvm::Instruction &quotient);

/// Exact quotients and roots of one basic block that can be computed together, because nothing that
/// depends on one of them has an effect in front of the last one.
struct RoundedGroup {
  llvm::SmallSetVector<llvm::Instruction *, 8> members; ///< in the order of the block
  /// The members, and what they need that depends on other members, in the order of the block.
  llvm::SmallSetVector<llvm::Instruction *, 16> slice;
  /// What depends on a member, stands in front of the last one, and is not in the slice.
  llvm::SmallVector<llvm::Instruction *, 8> rest;
  llvm::SmallMapVector<llvm::Value *, llvm::SmallVector<llvm::Instruction *, 4>, 4> divisors;
  /// The quotients by numbers that are not below 0.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> byPositive;
  /// The quotients for which no check of another member fails if they are not finite.
  llvm::SmallSetVector<llvm::Instruction *, 4> ends;

  /// Returns how many of the machine's instructions the fast way saves.
  int gain() const;
};

/// Moves quotients up to the one before by the same divisor, in front of stores of that one.
/// Returns whether it moved any.
bool gatherQuotients(llvm::BasicBlock &block);

/// Returns the groups of the block that are worth a check, in its order.
llvm::SmallVector<RoundedGroup, 2> findRoundedGroups(llvm::BasicBlock &block);

} // namespace regrain::nvptx
