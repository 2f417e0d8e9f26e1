//===- SharedReloads.cpp - Shared memory read in each iteration -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/SharedReloads.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Below this number of registers, what is held leaves enough for loads under way.
constexpr uint64_t manyRegisters = 32;
/// With more for both together, ptxas begins to wait for loads in between.
constexpr uint64_t tooManyRegisters = 96;

using Loads = SmallVector<LoadInst *, 32>;

uint64_t registersFor(ArrayRef<LoadInst *> loads) {
  uint64_t sum = 0;
  for (const LoadInst *load : loads)
    sum += divideCeil(load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue(), 4);
  return sum;
}

/// Returns the memory that the load reads: passes of the code generator find it for what is
/// accessed by generic addresses.
unsigned spaceOf(const LoadInst &load) {
  unsigned space =
      getUnderlyingObject(load.getPointerOperand())->getType()->getPointerAddressSpace();
  return load.getPointerAddressSpace() == genericSpace ? space : load.getPointerAddressSpace();
}

class Reloads {
public:
  Reloads(Loop &loop, AAResults &aliases) : loop(loop), aliases(aliases) {}

  bool run() {
    BasicBlock *before = loop.getLoopPreheader();
    if (!before)
      return false;
    Loads held, far = farLoads();
    for (Instruction &instruction : *before)
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && isHeld(*load))
        held.push_back(load);
    uint64_t forHeld = registersFor(held), forFar = registersFor(far);
    if (std::min(forHeld, forFar) < manyRegisters || forHeld + forFar < tooManyRegisters ||
        held.size() > 2 * far.size())
      return false;
    for (LoadInst *load : held)
      moveToUses(*load);
    return true;
  }

private:
  Loads farLoads() {
    Loads found;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && is_contained({genericSpace, globalSpace}, spaceOf(*load)))
          found.push_back(load);
    return found;
  }

  /// Returns whether the instruction takes a part of what was loaded, as it is.
  static bool isPart(const Instruction &user) {
    bool isShift = user.getOpcode() == Instruction::LShr && isa<Constant>(user.getOperand(1));
    return isShift || isa<ExtractElementInst, TruncInst, BitCastInst>(user);
  }

  /// Returns whether only the loop uses the value, and its parts if they stand beside it.
  bool onlyLoopUses(const Instruction &value) const {
    return !value.use_empty() && all_of(value.users(), [&](const User *each) {
      auto *user = cast<Instruction>(each);
      return user->getParent() == value.getParent() && isPart(*user)
                 ? onlyLoopUses(*user)
                 : !isa<PHINode>(user) && loop.contains(user);
    });
  }

  /// Returns whether the load could stand in the loop as well, and only the loop uses it.
  bool isHeld(LoadInst &load) {
    return spaceOf(load) == sharedSpace && load.isSimple() && onlyLoopUses(load) &&
           !isWritten(load);
  }

  bool isWritten(LoadInst &load) {
    MemoryLocation location = MemoryLocation::get(&load);
    auto writes = [&](Instruction &instruction) {
      return instruction.mayWriteToMemory() &&
             isModSet(aliases.getModRefInfo(&instruction, location));
    };
    return any_of(make_range(load.getIterator(), load.getParent()->end()), writes) ||
           any_of(loop.blocks(), [&](BasicBlock *block) { return any_of(*block, writes); });
  }

  /// Moves the value into the loop, behind its parts.
  static void moveToUses(Instruction &value) {
    SmallVector<Instruction *> parts;
    for (User *user : value.users())
      if (auto *part = cast<Instruction>(user);
          part->getParent() == value.getParent() && !is_contained(parts, part))
        parts.push_back(part);
    for (Instruction *part : parts)
      moveToUses(*part);
    putToUses(value);
  }

  /// Gives each block that uses the value one of its own, in front of the first use.
  static void putToUses(Instruction &value) {
    MapVector<BasicBlock *, Instruction *> first;
    for (User *user : value.users()) {
      auto *instruction = cast<Instruction>(user);
      Instruction *&known = first[instruction->getParent()];
      if (!known || instruction->comesBefore(known))
        known = instruction;
    }
    for (auto [block, user] : first) {
      Instruction *own = value.clone();
      own->insertBefore(user);
      value.replaceUsesWithIf(own, [block = block, own](const Use &use) {
        return use.getUser() != own && cast<Instruction>(use.getUser())->getParent() == block;
      });
    }
    value.eraseFromParent();
  }

  Loop &loop;
  AAResults &aliases;
};

} // namespace

PreservedAnalyses SharedReloads::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &aliases = analyses.getResult<AAManager>(function);
  bool isChanged = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost())
      isChanged |= Reloads(*loop, aliases).run();
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace regrain::nvptx
