//===- RowPointers.cpp - Pointers that step from row to row ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/RowPointers.h"
#include "compiler/Target/NVPTX/BackEnd/LateRewrite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// A distance in bytes as a multiple of a 32-bit number that is extended.
struct Distance {
  CastInst *number; ///< the extension, with the sign or without
  uint64_t factor;
};

std::optional<Distance> distanceOf(Value *value) {
  Value *number = nullptr;
  uint64_t factor = 1, shift = 0;
  if (match(value, m_Shl(m_Value(number), m_ConstantInt(shift))) && shift < 32)
    factor = uint64_t(1) << shift;
  else if (!match(value, m_Mul(m_Value(number), m_ConstantInt(factor))))
    number = value;
  auto *extension = dyn_cast<CastInst>(number);
  bool fits = factor > 0 && factor <= uint64_t(INT32_MAX);
  return extension && isa<SExtInst, ZExtInst>(extension) &&
                 extension->getSrcTy()->isIntegerTy(32) && fits
             ? std::optional(Distance{extension, factor})
             : std::nullopt;
}

/// A pointer at a distance from the loop's pointer.
struct Row {
  GetElementPtrInst *pointer;
  Distance distance;
};

/// Returns the pointers of the loop at multiples of one number from `pointer`, nearest first. All
/// of them are in the loop's block; those at other distances are left out.
SmallVector<Row> rowsOf(PHINode &pointer, const Value &next) {
  SmallVector<Row> rows;
  for (User *user : pointer.users()) {
    auto *address = dyn_cast<GetElementPtrInst>(user);
    if (!address || address->getPointerOperand() != &pointer || address->getNumIndices() != 1 ||
        address->getParent() != pointer.getParent() ||
        !address->getSourceElementType()->isIntegerTy(8))
      continue;
    if (std::optional<Distance> distance = distanceOf(address->getOperand(1)))
      rows.push_back({address, *distance});
  }
  auto last = find_if(rows, [&](const Row &row) { return row.pointer == &next; });
  if (last == rows.end())
    return {};
  const CastInst *number = last->distance.number;
  erase_if(rows, [&](const Row &row) { return row.distance.number != number; });
  llvm::sort(rows,
             [](const Row &a, const Row &b) { return a.distance.factor < b.distance.factor; });
  return rows;
}

/// Returns whether the rows follow each other in the block at equal distances, up to `next`.
bool areEvenlySpaced(ArrayRef<Row> rows, const Value &next) {
  uint64_t step = rows.front().distance.factor;
  for (size_t index = 0; index < rows.size(); ++index) {
    if (rows[index].distance.factor != (index + 1) * step)
      return false;
    if (index > 0 && !rows[index - 1].pointer->comesBefore(rows[index].pointer))
      return false;
  }
  return rows.back().pointer == &next;
}

/// Returns whether the loop computes the number, which may then differ between iterations.
bool isOfLoop(const Distance &distance, const BasicBlock &loop) {
  auto *number = dyn_cast<Instruction>(distance.number->getOperand(0));
  return number && number->getParent() == &loop;
}

/// Lets each row begin at the one before it. The distance is one product in front of the loop.
void chain(ArrayRef<Row> rows, BasicBlock &before) {
  const Distance &step = rows.front().distance;
  IRBuilder<> builder(before.getTerminator());
  Value *wide = builder.CreateCast(step.number->getOpcode(), step.number->getOperand(0),
                                   builder.getInt64Ty());
  Value *distance = builder.CreateMul(wide, builder.getInt64(step.factor), "", /*HasNUW=*/false,
                                      /*HasNSW=*/true);
  SmallVector<Value *> former;
  Value *previous = rows.front().pointer->getPointerOperand();
  for (const Row &row : rows) {
    former.push_back(row.pointer->getOperand(1));
    row.pointer->setOperand(0, previous);
    row.pointer->setOperand(1, distance);
    row.pointer->setNoWrapFlags(GEPNoWrapFlags::none());
    previous = row.pointer;
  }
  for (Value *value : former)
    RecursivelyDeleteTriviallyDeadInstructions(value);
}

bool chainInLoop(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || !is_contained(successors(&block), &block))
    return false;
  bool isChanged = false;
  for (PHINode &phi : block.phis()) {
    if (!phi.getType()->isPointerTy() || phi.getNumIncomingValues() != 2)
      continue;
    Value *next = phi.getIncomingValueForBlock(&block);
    BasicBlock *before = phi.getIncomingBlock(phi.getIncomingBlock(0) == &block ? 1 : 0);
    SmallVector<Row> rows = rowsOf(phi, *next);
    if (rows.empty() || !areEvenlySpaced(rows, *next) || isOfLoop(rows.front().distance, block))
      continue;
    chain(rows, *before);
    isChanged = true;
  }
  return isChanged;
}

} // namespace

bool chainRowPointers(Function &function) {
  bool isChanged = false;
  for (BasicBlock &block : function)
    isChanged |= chainInLoop(block);
  return isChanged;
}

FunctionPass *createChainRowPointers() { return new LateRewrite<chainRowPointers>(); }

} // namespace regrain::nvptx
