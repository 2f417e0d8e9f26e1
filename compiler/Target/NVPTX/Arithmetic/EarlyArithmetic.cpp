//===- EarlyArithmetic.cpp - Arithmetic before its operands live on -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/EarlyArithmetic.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the instruction is arithmetic on floating-point numbers, or what selects among
/// such numbers.
bool isArithmetic(const Instruction &instruction) {
  if (isa<CmpInst>(instruction))
    return !instruction.getOperand(0)->getType()->isPtrOrPtrVectorTy();
  if (!isSafeToSpeculativelyExecute(&instruction) || instruction.mayReadOrWriteMemory())
    return false;
  if (instruction.getOpcode() == Instruction::And)
    return isa<Constant>(instruction.getOperand(1));
  if (!instruction.getType()->isFPOrFPVectorTy())
    return false;
  return isa<BinaryOperator, UnaryOperator, SelectInst, IntrinsicInst>(instruction);
}

/// Returns whether the user may be fused with the product if they are in one block.
bool mayFuse(const Instruction &product, const Instruction &user) {
  return product.getOpcode() == Instruction::FMul && product.hasAllowContract() &&
         is_contained({Instruction::FAdd, Instruction::FSub}, user.getOpcode());
}

/// Returns whether the value is loaded from the program's memory. Tables of constants, such as
/// those of mathematical functions, are small and soon in a cache.
bool isLoad(const Value &value) {
  auto *load = dyn_cast<LoadInst>(&value);
  auto *table =
      load ? dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
  return load && !(table && table->isConstant());
}

/// Returns whether the value is loaded, perhaps on one way of several.
bool isLoaded(const Value &value) {
  auto *phi = dyn_cast<PHINode>(&value);
  return isLoad(value) ||
         (phi && any_of(phi->incoming_values(), [](const Use &one) { return isLoad(*one.get()); }));
}

/// Returns whether the program loads anything between the end of one block and another one, to
/// which all ways lead.
bool loadsBetween(const BasicBlock &from, const BasicBlock &to) {
  SmallVector<const BasicBlock *> open(successors(&from));
  SmallPtrSet<const BasicBlock *, 16> seen;
  while (!open.empty()) {
    const BasicBlock *block = open.pop_back_val();
    if (block == &to || !seen.insert(block).second)
      continue;
    if (any_of(*block, [](const Instruction &one) { return isLoad(one); }))
      return true;
    append_range(open, successors(block));
  }
  return false;
}

/// What a value takes of the registers of a thread.
uint64_t bitsOf(const Value &value) {
  constexpr uint64_t ofRegister = 32;
  return std::max(ofRegister, value.getType()->getPrimitiveSizeInBits().getFixedValue());
}

/// Arithmetic of one block that is computed in the same earlier block, and is connected by its
/// operands.
class Group {
public:
  void add(Instruction &instruction) { members.insert(&instruction); }

  /// Returns whether no more is held until the block if the group is computed before: the operands
  /// that only the group uses, or else what others use of its results. Comparisons alone stay.
  bool spares() const {
    if (all_of(members, [](const auto *member) { return member->getType()->isIntOrIntVectorTy(); }))
      return false;
    uint64_t operands = 0, results = 0;
    SmallPtrSet<const Value *, 16> seen;
    for (const Instruction *member : members) {
      if (!isOwn(*member))
        results += bitsOf(*member);
      for (const Value *operand : member->operand_values())
        if (auto *outer = dyn_cast<Instruction>(operand);
            outer && !members.contains(const_cast<Instruction *>(outer)) &&
            seen.insert(outer).second && isOwn(*outer))
          operands += bitsOf(*outer);
    }
    return operands >= results;
  }

private:
  /// Returns whether only the group uses the value.
  bool isOwn(const Instruction &value) const {
    return all_of(value.users(), [&](const User *user) {
      return members.contains(const_cast<Instruction *>(cast<Instruction>(user)));
    });
  }

  SmallPtrSet<Instruction *, 16> members;
};

class BlockWork {
public:
  BlockWork(const DominatorTree &tree, const PostDominatorTree &after, const LoopInfo &loops)
      : tree(tree), after(after), loops(loops) {}

  bool run(BasicBlock &block) {
    for (Instruction &instruction : block)
      if (isArithmetic(instruction))
        consider(instruction);
    for (auto &[instruction, early] : reverse(places))
      placeWithSum(*instruction, early);
    while (prune(block) || dropGroups())
      ;
    for (auto &[instruction, early] : places)
      instruction->moveBefore(early->getTerminator());
    return !places.empty();
  }

private:
  /// Forgets the groups that would hold more. Returns whether there was any.
  bool dropGroups() {
    EquivalenceClasses<Instruction *> classes;
    DenseMap<std::pair<Value *, BasicBlock *>, Instruction *> users;
    for (auto &[instruction, early] : places) {
      classes.insert(instruction);
      for (Value *operand : instruction->operand_values()) {
        auto *own = dyn_cast<Instruction>(operand);
        if (!own)
          continue;
        if (places.lookup(own) == early)
          classes.unionSets(own, instruction);
        Instruction *first = users.insert({{own, early}, instruction}).first->second;
        classes.unionSets(first, instruction);
      }
    }
    MapVector<Instruction *, Group> groups;
    for (auto &[instruction, early] : places)
      groups[classes.getLeaderValue(instruction)].add(*instruction);
    size_t before = places.size();
    places.remove_if(
        [&](auto &entry) { return !groups[classes.getLeaderValue(entry.first)].spares(); });
    return places.size() != before;
  }

  /// Notes the instruction if its operands are known in an earlier block that runs as often.
  void consider(Instruction &instruction) {
    BasicBlock *block = instruction.getParent(), *early = nullptr;
    for (Value *operand : instruction.operand_values())
      if (auto *own = dyn_cast<Instruction>(operand)) {
        auto moved = places.find(own);
        BasicBlock *place = moved == places.end() ? own->getParent() : moved->second;
        if (!early || tree.dominates(early, place))
          early = place;
      }
    if (!early || early == block || loops.getLoopFor(early) != loops.getLoopFor(block) ||
        !after.dominates(block, early))
      return;
    // A thread issues in order: in front of another load, this would wait for the first.
    if (any_of(instruction.operand_values(), [](Value *operand) { return isLoaded(*operand); }) &&
        loadsBetween(*early, *block))
      return;
    places[&instruction] = early;
  }

  /// Places a product with the sums that it may be fused with, if these are all of its uses.
  void placeWithSum(const Instruction &product, BasicBlock *&early) const {
    BasicBlock *common = nullptr;
    for (const User *user : product.users()) {
      auto *sum = const_cast<Instruction *>(cast<Instruction>(user));
      BasicBlock *place = places.lookup(sum);
      if (!mayFuse(product, *sum) || !place || (common && place != common))
        return;
      common = place;
    }
    if (common)
      early = common;
  }

  /// Forgets products that would be moved without their sums, and what needs something that stays.
  /// Returns whether there was any.
  bool prune(const BasicBlock &block) {
    size_t before = places.size();
    places.remove_if([&](auto &entry) {
      auto [instruction, early] = entry;
      return any_of(instruction->users(),
                    [&](const User *user) {
                      auto *sum = cast<Instruction>(user);
                      return sum->getParent() == &block && mayFuse(*instruction, *sum) &&
                             places.lookup(const_cast<Instruction *>(sum)) != early;
                    }) ||
             any_of(instruction->operand_values(), [&](Value *operand) {
               auto *own = dyn_cast<Instruction>(operand);
               return own && own->getParent() == &block && !places.contains(own);
             });
    });
    return places.size() != before;
  }

  const DominatorTree &tree;
  const PostDominatorTree &after;
  const LoopInfo &loops;
  MapVector<Instruction *, BasicBlock *> places; ///< in the order of the instructions
};
} // namespace

PreservedAnalyses EarlyArithmetic::run(Function &function, FunctionAnalysisManager &analyses) {
  if (function.size() < 2)
    return PreservedAnalyses::all();
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &after = analyses.getResult<PostDominatorTreeAnalysis>(function);
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  bool isChanged = false;
  for (BasicBlock &block : function)
    if (tree.isReachableFromEntry(&block))
      isChanged |= BlockWork(tree, after, loops).run(block);
  return flowPreserved(isChanged);
}

} // namespace regrain::nvptx
