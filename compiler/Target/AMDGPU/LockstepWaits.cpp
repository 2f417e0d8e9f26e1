//===- LockstepWaits.cpp - Waits that lanes of one wave never end ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/LockstepWaits.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Target/AMDGPU/DeviceLibrary.h"
#include "compiler/Target/AMDGPU/Elections.h"
#include "compiler/Target/AMDGPU/InlineKernels.h"
#include "compiler/Target/AMDGPU/Intrinsics.h"
#include "compiler/Target/AMDGPU/LockRounds.h"
#include "compiler/Target/AMDGPU/Unavailable.h"
#include "compiler/Target/AMDGPU/WaitingAccess.h"
#include "compiler/Target/Waiting/Communication.h"
#include "compiler/Target/Waiting/Decisions.h"
#include "compiler/Target/Waiting/OwnProgress.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regrain::amdgpu {

using waiting::Partners;

namespace {

/// Returns whether plain loads of a loop, or of another cycle, see what others write meanwhile.
template <typename Blocks> bool isFenced(const Blocks &blocks) {
  bool fenced = false;
  for (BasicBlock *block : blocks)
    for (Instruction &inst : *block) {
      if (auto *fence = dyn_cast<FenceInst>(&inst))
        fenced |= fence->getSyncScopeID() != SyncScope::SingleThread;
      if (isBarrier(inst))
        return false;
    }
  return fenced;
}

class Waits {
public:
  Waits(Function &function, const Chip &chip, const waiting::Communication &communication)
      : function(function), communication(communication), dominators(function), loops(dominators),
        elections(shape, chip.waveSize), postDominators(function), assumptions(function),
        libraryInfo(Triple(function.getParent()->getTargetTriple())), library(libraryInfo),
        evolution(function, library, assumptions, dominators, loops) {}

  /// Returns a read by which a loop may wait for ever, or null.
  const Instruction *find() {
    if (const Instruction *unordered = findUnordered())
      return unordered;
    uniteCoordinates(function);
    for (Loop *loop : loops.getLoopsInPreorder())
      for (Instruction *read : waitingReads(*loop))
        if (hangs(*loop, *read))
          return read;
    return nullptr;
  }

  /// As in Elections: the dimensions on which the absence of other waits depends.
  unsigned singleDimensions() const { return elections.singleDimensions(); }

private:
  /// Returns an operation that may observe other threads in a cycle with several entries, for which
  /// there is no proof.
  const Instruction *findUnordered() {
    CycleInfo cycles;
    cycles.compute(function);
    SmallVector<Cycle *> pending(cycles.toplevel_cycles());
    while (!pending.empty()) {
      Cycle *cycle = pending.pop_back_val();
      append_range(pending, cycle->children());
      if (cycle->isReducible())
        continue;
      bool fenced = isFenced(cycle->blocks());
      for (BasicBlock *block : cycle->blocks())
        for (Instruction &inst : *block)
          if (looks(inst, fenced) &&
              (isa<LoadInst>(inst) || communication.partnersOf(inst) != Partners::None))
            return &inst;
    }
    return nullptr;
  }

  /// Returns the reads by which the loop may wait for another thread.
  SmallVector<Instruction *> waitingReads(Loop &loop) {
    bool communicates = any_of(loop.blocks(), [&](BasicBlock *block) {
      return any_of(*block, [&](Instruction &inst) {
        return communication.partnersOf(inst) != Partners::None;
      });
    });
    if (!communicates || waiting::retriesExchange(loop, dominators))
      return {};
    waiting::Decisions decisions(loop, dominators, postDominators, evolution, intrinsics());
    bool fenced = isFenced(loop.blocks());
    return to_vector(make_filter_range(decisions.reads(),
                                       [&](Instruction *read) { return looks(*read, fenced); }));
  }

  bool hangs(const Loop &loop, Instruction &read) {
    if (!readAddress(read))
      return mayBeToldLate(loop);
    if (!takes(read) && waitsTogether(loop, read))
      return false;
    bool givesBack = false, late = false, carriesOut = false;
    for (Instruction *write : writersFor(read)) {
      Instruction &inst = *write;
      const Value *address = writtenAddress(inst);
      if (loop.contains(&inst)) {
        givesBack |= isSame(*readAddress(read), *address) && dominators.dominates(&read, &inst) &&
                     mayLeadOut(loop, inst);
      } else if (mayBeLate(loop, read, inst)) {
        late = true;
        carriesOut |= !isOfOtherSection(inst);
      }
    }
    return late && !(takes(read) && givesBack && !carriesOut);
  }

  /// Returns whether the write acquires a lock, or releases one that was acquired in the same
  /// iteration of a loop: such a write releases nothing that another loop has acquired.
  bool isOfOtherSection(Instruction &write) {
    for (Loop *loop = loops.getLoopFor(write.getParent()); loop; loop = loop->getParentLoop())
      for (BasicBlock *block : loop->blocks())
        for (Instruction &inst : *block)
          if (takes(inst) && isSame(*readAddress(inst), *writtenAddress(write)) &&
              (&inst == &write || dominators.dominates(&inst, &write)))
            return true;
    return false;
  }

  /// Returns whether the loop may be left in an iteration that has run `inst`. A lane that tells
  /// others that it could not acquire what it wanted does not leave.
  bool mayLeadOut(const Loop &loop, const Instruction &inst) {
    const BasicBlock *from = inst.getParent(), *header = loop.getHeader();
    SmallPtrSet<BasicBlock *, 1> nextRound;
    if (from != header)
      nextRound.insert(loop.getHeader());
    SmallVector<BasicBlock *> exiting;
    loop.getExitingBlocks(exiting);
    return any_of(exiting, [&](BasicBlock *block) {
      bool isReached =
          block == from ||
          (block != header && isPotentiallyReachable(from, block, &nextRound, &dominators, &loops));
      return isReached && !runsOnlyWhereItStays(loop, *block, inst);
    });
  }

  /// Returns whether the condition by which `block` leaves the loop is known to be false where
  /// `inst` runs.
  bool runsOnlyWhereItStays(const Loop &loop, const BasicBlock &block, const Instruction &inst) {
    auto *leaving = dyn_cast<BranchInst>(block.getTerminator());
    if (!leaving || !leaving->isConditional())
      return false;
    unsigned stays = loop.contains(leaving->getSuccessor(0)) ? 0 : 1;
    return any_of(loop.blocks(), [&](BasicBlock *other) {
      auto *branch = dyn_cast<BranchInst>(other->getTerminator());
      return branch && branch->isConditional() &&
             branch->getCondition() == leaving->getCondition() &&
             branch->getSuccessor(0) != branch->getSuccessor(1) &&
             dominators.dominates(BasicBlockEdge(other, branch->getSuccessor(stays)),
                                  inst.getParent());
    });
  }

  /// Returns whether another operation of the function may do what a call waits for.
  bool mayBeToldLate(const Loop &loop) {
    return any_of(instructions(function), [&](Instruction &inst) {
      return !loop.contains(&inst) && writtenAddress(inst) &&
             (inst.isAtomic() || inst.isVolatile());
    });
  }

  /// Returns the operations that may write what is read: all that write to the same named memory,
  /// and those that publish through another pointer.
  SmallVector<Instruction *> writersFor(Instruction &read) {
    SmallVector<Instruction *> writers;
    for (Instruction &inst : instructions(function)) {
      const Value *address = &inst == &read ? nullptr : writtenAddress(inst);
      if (!address)
        continue;
      bool tellsOthers = inst.isAtomic() || inst.isVolatile();
      if (mayBeOne(*readAddress(read), *address) ||
          (tellsOthers && mayHaveTwoNames(*readAddress(read), *address)))
        writers.push_back(&inst);
    }
    return writers;
  }

  /// Returns whether two pointers with different names may be given the same memory.
  static bool mayHaveTwoNames(const Value &first, const Value &second) {
    const Value *one = getUnderlyingObject(&first, 0), *other = getUnderlyingObject(&second, 0);
    auto isOpen = [](const Value *value) {
      auto *argument = dyn_cast<Argument>(value);
      return argument && !argument->hasNoAliasAttr();
    };
    auto isRestricted = [&](const Value *value) { return isa<Argument>(value) && !isOpen(value); };
    return (isOpen(one) || isOpen(other)) && !isRestricted(one) && !isRestricted(other) &&
           !isa<AllocaInst>(one) && !isa<AllocaInst>(other);
  }

  /// Returns whether every thread of the block reaches the loop and reads the same there.
  bool waitsTogether(const Loop &loop, Instruction &read) {
    if (differsInBlock(*readAddress(read), shape))
      return false;
    SmallPtrSet<BasicBlock *, 1> header = {loop.getHeader()};
    ReverseIDFCalculator control(postDominators);
    control.setDefiningBlocks(header);
    SmallVector<BasicBlock *> deciding;
    control.calculate(deciding);
    loop.getExitingBlocks(deciding);
    return none_of(deciding, [&](const BasicBlock *block) { return partsBlock(*block); });
  }

  /// Returns whether threads of a block may diverge at the end of `block`.
  bool partsBlock(const BasicBlock &block) const {
    const Instruction *end = block.getTerminator();
    if (end->getNumSuccessors() < 2)
      return false;
    auto *branch = dyn_cast<BranchInst>(end);
    return !branch || differsInBlock(branch->getOperandUse(0), shape);
  }

  /// Returns whether a lane may still have to reach `write` while another waits.
  bool mayBeLate(const Loop &loop, Instruction &read, Instruction &write) {
    bool after =
        isPotentiallyReachable(loop.getHeader(), write.getParent(), nullptr, &dominators, &loops);
    if (after && !isReachedWithoutBarrier(loop, write))
      return false;
    bool before =
        isPotentiallyReachable(write.getParent(), loop.getHeader(), nullptr, &dominators, &loops);
    if (before && !after)
      return false;
    const ICmpInst *waiter = elections.find(read);
    const ICmpInst *writer = elections.find(write);
    if (waiter && writer && (waiter == writer || waiter->isIdenticalTo(writer)))
      return false;
    return !isOtherPlace(*readAddress(read), *writtenAddress(write));
  }

  /// Returns whether `write` is reached without a barrier. After a barrier of the block no lane
  /// waits in the loop any more.
  bool isReachedWithoutBarrier(const Loop &loop, const Instruction &write) {
    const BasicBlock *end = write.getParent();
    if (any_of(make_range(end->begin(), write.getIterator()), isBarrier))
      return false;
    SmallPtrSet<BasicBlock *, 8> barred;
    for (BasicBlock &block : function)
      if (&block != end && !loop.contains(&block) && any_of(block, isBarrier))
        barred.insert(&block);
    return isPotentiallyReachable(loop.getHeader(), end, &barred, &dominators, &loops);
  }

  /// Returns whether both may lie in the same object, assuming that differently named objects are
  /// different.
  static bool mayBeOne(const Value &first, const Value &second) {
    const Value *one = getUnderlyingObject(&first, 0), *other = getUnderlyingObject(&second, 0);
    if (one == other)
      return true;
    if (isa<AllocaInst>(one) || isa<AllocaInst>(other))
      return false;
    auto isShared = [](const Value &value) {
      return value.getType()->getPointerAddressSpace() == sharedSpace;
    };
    auto isNamed = [](const Value *value) { return isa<Argument, GlobalVariable>(value); };
    if (isNamed(one) && isNamed(other))
      return false;
    return isShared(first) == isShared(second) ||
           first.getType()->getPointerAddressSpace() == genericSpace ||
           second.getType()->getPointerAddressSpace() == genericSpace;
  }

  /// Returns the distance of the addresses, or null if they have nothing in common. For two
  /// elements of one array it is the distance of the indices before extension.
  const SCEV *distance(const Value &firstAddress, const Value &secondAddress) {
    const Value *first = firstAddress.stripPointerCasts();
    const Value *second = secondAddress.stripPointerCasts();
    auto *one = dyn_cast<GetElementPtrInst>(first), *other = dyn_cast<GetElementPtrInst>(second);
    if (one && other && one->getPointerOperand() == other->getPointerOperand() &&
        one->getSourceElementType() == other->getSourceElementType() && one->getNumIndices() == 1 &&
        other->getNumIndices() == 1) {
      auto *oneCast = dyn_cast<CastInst>(one->getOperand(1));
      auto *otherCast = dyn_cast<CastInst>(other->getOperand(1));
      if (oneCast && otherCast && oneCast->getOpcode() == otherCast->getOpcode() &&
          !isa<TruncInst>(oneCast)) {
        first = oneCast->getOperand(0);
        second = otherCast->getOperand(0);
      }
    }
    if (first->getType() != second->getType())
      return nullptr;
    const SCEV *between = evolution.getMinusSCEV(evolution.getSCEV(const_cast<Value *>(first)),
                                                 evolution.getSCEV(const_cast<Value *>(second)));
    return isa<SCEVCouldNotCompute>(between) ? nullptr : between;
  }

  bool isSame(const Value &first, const Value &second) {
    const SCEV *between = distance(first, second);
    return between && between->isZero();
  }

  /// Returns whether the address that all threads of the block read is different from all addresses
  /// that they write.
  bool isOtherPlace(const Value &read, const Value &written) {
    const SCEV *between = distance(read, written);
    return between && !differsInBlock(read, shape) &&
           !evolution.getSignedRange(between).contains(
               APInt::getZero(evolution.getTypeSizeInBits(between->getType())));
  }

  Function &function;
  const waiting::Communication &communication;
  DominatorTree dominators;
  LoopInfo loops;
  FunctionShape shape = {dominators, loops};
  Elections elections;
  PostDominatorTree postDominators;
  AssumptionCache assumptions;
  TargetLibraryInfoImpl libraryInfo;
  TargetLibraryInfo library;
  ScalarEvolution evolution;
};

} // namespace

/// Returns a call in a recursive function that may observe other threads: there is no proof that
/// such a recursion ends.
static const Instruction *findRecursive(Function &function, const waiting::Communication &others) {
  bool hears =
      others.isRecursive(function) && any_of(others.reachedFrom(function), [](Function *reached) {
        return any_of(instructions(*reached), [](Instruction &inst) {
          return !isa<CallBase>(inst) && looks(inst, /*fenced=*/false);
        });
      });
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&inst); hears && call && !isa<IntrinsicInst>(inst))
      return &inst;
  return nullptr;
}

void findLockstepWaits(const Module &module, ArrayRef<std::string> kernels, const Chip &chip,
                       SingleDimensions &single, RefusedKernels &refused) {
  std::unique_ptr<Module> copy = inlineKernels(module);
  DenseMap<const GlobalValue *, const Instruction *> found;
  waiting::Communication communication(*copy, intrinsics());
  for (Function &function : *copy) {
    if (function.isDeclaration() || function.hasFnAttribute(systemAttribute))
      continue;
    const Instruction *read = nullptr;
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL) {
      showLockRounds(function);
      Waits waits(function, chip, communication);
      read = waits.find();
      single[function.getName()] |= waits.singleDimensions();
    } else {
      read = findRecursive(function, communication);
    }
    if (read)
      found[&function] = read;
  }
  refuseReaching(
      *copy, kernels, found,
      {RefusalKind::LockstepWait,
       "a loop waits for another lane of the same wave, which can go on only after the loop, "
       "because the lanes of a wave run in lockstep"},
      refused);
}

} // namespace regrain::amdgpu
