//===- SharedBases.cpp - One base for many elements of an array -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/SharedBases.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// What varies in an address: the sum of values, each extended with its sign and multiplied.
using Terms = MapVector<Value *, int64_t>;

/// The address of an element of a variable.
struct Element {
  GetElementPtrInst *address;
  Terms terms = {};
  int64_t offset = 0; ///< in bytes
  bool subtracts = false;
};

/// Splits an address. Overflow is excluded by the operations themselves: where they overflow, their
/// result, and so the address, has no meaning.
class Splitter {
public:
  Splitter(GetElementPtrInst &address, const DataLayout &layout)
      : element{&address}, layout(layout) {}

  std::optional<Element> split() {
    for (auto index = gep_type_begin(*element.address); index != gep_type_end(*element.address);
         ++index) {
      if (index.isStruct() || !index.getOperand()->getType()->isIntegerTy() ||
          index.getOperand()->getType()->getIntegerBitWidth() > 64)
        return std::nullopt;
      TypeSize stride = index.getSequentialElementStride(layout);
      if (stride.isScalable() || !isInt<31>(stride.getFixedValue()))
        return std::nullopt;
      addIndex(*index.getOperand(), static_cast<int64_t>(stride.getFixedValue()));
    }
    element.terms.remove_if([](const auto &term) { return term.second == 0; });
    return element.terms.empty() ? std::nullopt : std::optional(element);
  }

private:
  void addIndex(Value &index, int64_t scale) {
    Value *narrow = nullptr;
    addSum(match(&index, m_SExtLike(m_Value(narrow))) ? *narrow : index, scale);
  }

  void addSum(Value &sum, int64_t scale) {
    const APInt *constant = nullptr;
    Value *rest = nullptr;
    if (match(&sum, m_APInt(constant)) && isShort(*constant)) {
      element.offset += constant->getSExtValue() * scale;
    } else if (match(&sum, m_NSWSub(m_APInt(constant), m_Value(rest))) && isShort(*constant)) {
      element.offset += constant->getSExtValue() * scale;
      element.subtracts = true;
      addSum(*rest, -scale);
    } else if (match(&sum, m_NSWAddLike(m_Value(rest), m_APInt(constant))) && isShort(*constant)) {
      element.offset += constant->getSExtValue() * scale;
      addSum(*rest, scale);
    } else {
      element.terms[&sum] += scale;
    }
  }

  /// Returns whether products of the constant and a stride do not overflow.
  static bool isShort(const APInt &constant) { return constant.isSignedIntN(31); }

  Element element;
  const DataLayout &layout;
};

/// Elements whose addresses differ by constants.
using Group = SmallVector<Element>;

bool isSameBase(const Element &one, const Element &other) {
  auto isIn = [&](const auto &term) { return other.terms.lookup(term.first) == term.second; };
  return one.address->getPointerOperand() == other.address->getPointerOperand() &&
         one.terms.size() == other.terms.size() && all_of(one.terms, isIn);
}

SmallVector<Group> groupsOf(Function &function, const DominatorTree &dominators) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<Group> groups;
  for (Instruction &instruction : instructions(function)) {
    auto *address = dyn_cast<GetElementPtrInst>(&instruction);
    if (!address || !isa<Constant>(address->getPointerOperand()) || !address->isInBounds() ||
        !dominators.isReachableFromEntry(address->getParent()))
      continue;
    std::optional<Element> element = Splitter(*address, layout).split();
    if (!element)
      continue;
    Group *same =
        find_if(groups, [&](const Group &group) { return isSameBase(group[0], *element); });
    if (same == groups.end())
      groups.push_back({*element});
    else
      same->push_back(*element);
  }
  return groups;
}

/// Returns the last place that is in front of all elements.
Instruction *placeInFrontOf(const Group &group, const DominatorTree &dominators) {
  BasicBlock *block = group.front().address->getParent();
  for (const Element &element : group)
    block = dominators.findNearestCommonDominator(block, element.address->getParent());
  for (const Element &element : group) // in the order of the blocks' instructions
    if (element.address->getParent() == block)
      return element.address;
  return block->getTerminator();
}

void computeFromBase(const Group &group, const DominatorTree &dominators) {
  GetElementPtrInst &first = *group.front().address;
  const DataLayout &layout = first.getModule()->getDataLayout();
  IRBuilder<> builder(placeInFrontOf(group, dominators));
  Type *wide = layout.getIndexType(first.getPointerOperandType());
  Value *base = first.getPointerOperand();
  for (auto [value, scale] : group.front().terms) {
    Value *extended = builder.CreateSExtOrTrunc(value, wide);
    Value *product = builder.CreateMul(extended, ConstantInt::getSigned(wide, scale));
    base = builder.CreateGEP(builder.getInt8Ty(), base, product);
  }
  for (const Element &element : group) {
    builder.SetInsertPoint(element.address);
    Value *offset = ConstantInt::getSigned(wide, element.offset);
    element.address->replaceAllUsesWith(builder.CreateGEP(builder.getInt8Ty(), base, offset));
    element.address->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses SharedBases::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (const Group &group : groupsOf(function, dominators)) {
    bool subtracts = any_of(group, [](const Element &element) { return element.subtracts; });
    if (!subtracts || group.size() < fewestOfBase)
      continue;
    computeFromBase(group, dominators);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
