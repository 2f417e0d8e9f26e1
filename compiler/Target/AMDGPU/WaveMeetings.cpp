//===- WaveMeetings.cpp - Lanes that meet at different places -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/WaveMeetings.h"

#include "compiler/Target/AMDGPU/DeviceLibrary.h"
#include "compiler/Target/AMDGPU/InlineKernels.h"
#include "compiler/Target/AMDGPU/Intrinsics.h"
#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "compiler/Target/AMDGPU/Unavailable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

namespace {

/// Where lanes come to after they have parted in a loop: in the same round or behind the loop, in
/// a later round, or in the loop when they have come back to it.
enum class Round : unsigned { Same, Later, Again };

using Site = PointerIntPair<const Instruction *, 2, Round>;
using Sites = SmallSetVector<Site, 4>;

/// Whether lanes hear each other in the function, or in what it calls.
bool exchanges(const Function &function, unsigned depth = 4) {
  return depth != 0 && any_of(instructions(function), [&](const Instruction &inst) {
           auto *call = dyn_cast<CallBase>(&inst);
           const Function *callee = call ? call->getCalledFunction() : nullptr;
           if (!callee)
             return false;
           return callee->isIntrinsic() ? callee->isConvergent() && callee->getIntrinsicID() !=
                                                                        Intrinsic::amdgcn_s_barrier
                                        : exchanges(*callee, depth - 1);
         });
}

/// Of our library: what the lanes of a mask do together. Asking who is there names no lanes.
bool isShared(const Function &function) {
  return function.hasFnAttribute(ownAttribute) && !function.arg_empty() && exchanges(function);
}

/// The function that lanes run together there, null where they do not.
const Function *sharedBy(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && isShared(*callee) ? callee : nullptr;
}

/// A function of the library that gives one bit for all the lanes of its mask.
bool isVoteOfAll(const Value &value) {
  auto *call = dyn_cast<CallInst>(&value);
  auto *mask = call && sharedBy(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
  return mask && mask->isMinusOne() && call->getType()->isIntegerTy(1);
}

/// Whether `value` is a warp's number, or compares x with one. A kernel that does not ask for
/// a thread's y and z is taken to have blocks of one dimension.
bool isNumberOfWarp(const Instruction &value) {
  constexpr uint64_t warp = 32;
  const APInt *number;
  auto x = m_Intrinsic<Intrinsic::amdgcn_workitem_id_x>();
  ICmpInst::Predicate predicate;
  bool isNumber =
      (match(&value, m_LShr(x, m_APInt(number))) && number->uge(Log2_64(warp))) ||
      (match(&value, m_IDiv(x, m_APInt(number))) && number->urem(warp) == 0) ||
      (match(&value, m_ICmp(predicate, x, m_APInt(number))) && ICmpInst::isRelational(predicate) &&
       number->urem(warp) ==
           (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate) ? 0 : warp - 1));
  return isNumber && !asksForRows(*value.getFunction());
}

/// Whether all lanes of a warp have the value.
bool isOfWholeWarp(const Value &value, const UniformityInfo &uniformity, unsigned depth = 8) {
  if (uniformity.isUniform(&value) || isVoteOfAll(value))
    return true;
  auto *inst = dyn_cast<Instruction>(&value);
  if (!inst || depth == 0)
    return false;
  return isNumberOfWarp(*inst) || (isa<BinaryOperator, CmpInst, CastInst, SelectInst>(inst) &&
                                   all_of(inst->operands(), [&](const Use &operand) {
                                     return isOfWholeWarp(*operand, uniformity, depth - 1);
                                   }));
}

bool partsWarp(const BasicBlock &block, const UniformityInfo &uniformity) {
  const Instruction *end = block.getTerminator();
  if (end->getNumSuccessors() < 2 || uniformity.isUniform(end))
    return false;
  auto *branch = dyn_cast<BranchInst>(end);
  return !branch || !isOfWholeWarp(*branch->getCondition(), uniformity);
}

/// What the machine does, whatever the types: "nvvm_shfl".
StringRef operationOf(const Function &shared) {
  StringRef name = shared.getName();
  return name.take_front(name.find('_', name.find('_') + 1));
}

/// Operations that name the same lanes, all of which do the same.
struct Kind {
  StringRef operation;
  const Value *lanes;
  bool operator==(const Kind &other) const = default;
};

/// The mask of an operation; null where it has none, which lanes of one place share.
const Value *lanesOf(const CallInst &call, const Function &shared) {
  if (!shared.getName().contains("_sync"))
    return nullptr;
  return call.getArgOperand(operationOf(shared) == "nvvm_redux" ? 1 : 0);
}

/// The operations of a kernel, but those where lanes do not name all the lanes that they
/// meet: sides of a branch that have masks of their own.
using Kinds = MapVector<const Instruction *, Kind>;

Kinds kindsIn(const Function &kernel, const UniformityInfo &uniformity) {
  Kinds kinds;
  for (const Instruction &inst : instructions(kernel))
    if (const Function *shared = sharedBy(inst)) {
      const Value *lanes = lanesOf(cast<CallInst>(inst), *shared);
      if (lanes && uniformity.isUniform(lanes))
        kinds.insert({&inst, {operationOf(*shared), lanes}});
    }
  return kinds;
}

/// Whether all lanes of a warp come together at operations of `other`, which is not what `kind`
/// does.
bool bringsTogether(const Kind &other, const Kind &kind) {
  auto *lanes = dyn_cast<ConstantInt>(other.lanes);
  return lanes && lanes->isMinusOne() && other.operation != kind.operation;
}

/// Blocks at whose ends lanes of a warp part.
using PartingBlocks = SmallSetVector<const BasicBlock *, 8>;

bool leavesTogether(const Loop &loop, const PartingBlocks &parting) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return none_of(exiting, [&](const BasicBlock *block) { return parting.contains(block); });
}

/// The innermost loop around the end of `block` whose rounds not all lanes run, or in which it
/// does not decide alike each time.
const Loop *driftingLoop(const BasicBlock &block, const LoopInfo &loops,
                         const PartingBlocks &parting) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  const Loop *loop = loops.getLoopFor(&block);
  while (loop && branch && loop->isLoopInvariant(branch->getCondition()) &&
         leavesTogether(*loop, parting))
    loop = loop->getParentLoop();
  return loop;
}

/// The operations of `kind` that lanes come to first from the start of `block`, where they
/// have parted in a round of `loop`, without all of them coming together.
Sites nextFrom(const BasicBlock &block, const Kind &kind, const Kinds &kinds, const Loop *loop) {
  Sites sites;
  auto isOfKind = [&](const Instruction &inst) {
    auto found = kinds.find(&inst);
    return found != kinds.end() && found->second == kind;
  };
  auto stopsAt = [&](const Instruction &inst) {
    auto found = kinds.find(&inst);
    return isBarrier(inst) ||
           (found != kinds.end() && (found->second == kind || bringsTogether(found->second, kind)));
  };
  SmallSetVector<PointerIntPair<const BasicBlock *, 2, Round>, 16> reached;
  auto reach = [&](const BasicBlock &next, bool isFromLoop, Round round) {
    if (!loop || !loop->contains(&next))
      round = Round::Same;
    else if (!isFromLoop)
      round = Round::Again;
    else if (&next == loop->getHeader() && round == Round::Same)
      round = Round::Later;
    reached.insert({&next, round});
  };
  reach(block, true, Round::Same);
  for (size_t i = 0; i < reached.size(); ++i) {
    const BasicBlock *from = reached[i].getPointer();
    Round round = reached[i].getInt();
    auto stop = find_if(*from, stopsAt);
    if (stop == from->end()) {
      for (const BasicBlock *next : successors(from))
        reach(*next, loop && loop->contains(from), round);
    } else if (isOfKind(*stop)) {
      sites.insert({&*stop, round});
    }
  }
  return sites;
}

bool areSame(const Sites &one, const Sites &other) {
  return one.size() == other.size() &&
         all_of(one, [&](const Site &site) { return other.contains(site); });
}

/// A place at which lanes come to operations of `kind` while others come to one elsewhere.
const Instruction *findElsewhere(const Kind &kind, const PartingBlocks &parting, const Kinds &kinds,
                                 const LoopInfo &loops) {
  auto findIn = [&](const BasicBlock &block, const Loop *loop) -> const Instruction * {
    Sites first;
    for (const BasicBlock *next : successors(&block)) {
      Sites sites = nextFrom(*next, kind, kinds, loop);
      if (first.empty())
        first = std::move(sites);
      else if (!sites.empty() && !areSame(first, sites))
        return sites.front().getPointer();
    }
    return nullptr;
  };
  for (const BasicBlock *block : parting) {
    // Each loop has rounds of its own.
    const Loop *loop = driftingLoop(*block, loops, parting);
    do {
      if (const Instruction *site = findIn(*block, loop))
        return site;
      loop = loop ? loop->getParentLoop() : nullptr;
    } while (loop);
  }
  return nullptr;
}

const Instruction *findMeeting(const Function &kernel, const UniformityInfo &uniformity,
                               const LoopInfo &loops) {
  PartingBlocks parting;
  for (const BasicBlock &block : kernel)
    if (partsWarp(block, uniformity))
      parting.insert(&block);
  Kinds kinds = kindsIn(kernel, uniformity);
  SmallVector<Kind> asked;
  for (const auto &[inst, kind] : kinds) {
    if (is_contained(asked, kind))
      continue;
    asked.push_back(kind);
    if (const Instruction *site = findElsewhere(kind, parting, kinds, loops))
      return site;
  }
  return nullptr;
}

} // namespace

void findWaveMeetings(const Module &module, ArrayRef<std::string> kernels, TargetMachine &machine,
                      MissingReasons &missing) {
  if (none_of(module, isShared))
    return;
  std::unique_ptr<Module> copy = inlineKernels(module, isShared);
  FunctionAnalysisManager analyses;
  PassBuilder(&machine).registerFunctionAnalyses(analyses);
  DenseMap<const GlobalValue *, const Instruction *> found;
  for (Function &function : *copy)
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL && !function.isDeclaration())
      if (const Instruction *site =
              findMeeting(function, analyses.getResult<UniformityInfoAnalysis>(function),
                          analyses.getResult<LoopAnalysis>(function)))
        found[&function] = site;
  refuseReaching(*copy, kernels, found, RefusalKind::WarpMeeting,
                 "lanes of a warp may meet at different places of the code, and the lanes of a "
                 "wave are at one",
                 missing);
}

} // namespace regrain::amdgpu
