//===- FoldPacking.cpp - Vectors that are put together again --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folding/FoldPacking.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The elements of one vector that were found in a number. Places are those of little endian, as
/// all devices have them.
class Packed {
public:
  /// Finds the elements in `number`, which is shifted left by `shift`. Returns whether there is
  /// nothing else in it. At most `levels` operations lie above each element.
  bool collect(Value *number, uint64_t shift, unsigned levels = mostLevels) {
    Value *left, *right, *part;
    uint64_t more;
    if (levels == 0)
      return false;
    if (match(number, m_Or(m_Value(left), m_Value(right))))
      return collect(left, shift, levels - 1) && collect(right, shift, levels - 1);
    if (match(number, m_Shl(m_Value(part), m_ConstantInt(more))))
      return more < number->getType()->getScalarSizeInBits() &&
             collect(part, shift + more, levels - 1);
    return match(number, m_ZExt(m_Value(part))) && take(part, shift);
  }

  /// Returns the vector if all of its elements were found, and nothing more fits into `bits`.
  Value *vectorOf(uint64_t bits) const {
    bool isWhole = vector && found.all() && vector->getType()->getPrimitiveSizeInBits() == bits;
    return isWhole ? vector : nullptr;
  }

private:
  static constexpr unsigned mostLevels = 8; ///< a chain of eight elements

  /// Takes `element`, whose lowest bit is at `place`.
  bool take(Value *element, uint64_t place) {
    Value *from;
    uint64_t index;
    match(element, m_BitCast(m_Value(element))); // an element of another type
    if (!match(element, m_ExtractElt(m_Value(from), m_ConstantInt(index))))
      return false;
    auto *type = dyn_cast<FixedVectorType>(from->getType());
    if (!type || index >= type->getNumElements() || place != index * type->getScalarSizeInBits())
      return false;
    match(from, m_BitCast(m_Value(from)));
    if (vector && (vector != from || found.size() != type->getNumElements()))
      return false;
    vector = from;
    found.resize(type->getNumElements());
    found.set(index);
    return true;
  }

  Value *vector = nullptr;
  BitVector found;
};

} // namespace

PreservedAnalyses regrain::FoldPacking::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (instruction.getOpcode() != Instruction::Or || !instruction.getType()->isIntegerTy())
      continue;
    Packed packed;
    if (!packed.collect(&instruction, 0))
      continue;
    Value *vector = packed.vectorOf(instruction.getType()->getScalarSizeInBits());
    if (!vector)
      continue;
    Value *bits = IRBuilder<>(&instruction).CreateBitCast(vector, instruction.getType());
    instruction.replaceAllUsesWith(bits);
    isChanged = true; // what is left without uses is dead, and LLVM removes it
  }
  return flowPreserved(isChanged);
}
