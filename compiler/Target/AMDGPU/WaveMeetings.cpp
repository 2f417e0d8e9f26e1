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
#include "compiler/Target/AMDGPU/LaneOperations.h"
#include "compiler/Target/AMDGPU/NamedLanes.h"
#include "compiler/Target/AMDGPU/Partings.h"
#include "compiler/Target/AMDGPU/Unavailable.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// Where lanes are after they have diverged in a loop: in the same iteration or behind the loop, in
/// a later iteration, or in the loop again after they have left it.
enum class Round : unsigned { Same, Later, Again };

/// A step is a block that lanes reach, a place is an operation, and a site also says whether values
/// that were computed before the lanes diverged have not changed since.
using Step = PointerIntPair<const BasicBlock *, 2, Round>;
using Place = PointerIntPair<const Instruction *, 2, Round>;
using Site = PointerIntPair<Place, 1, bool>;
using Sites = SmallSetVector<Site, 4>;

/// Returns whether all lanes of a warp come together at operations of `other`, which differ from
/// those of `kind`.
bool bringsTogether(const Kind &other, const Kind &kind) {
  auto *lanes = dyn_cast<ConstantInt>(other.lanes);
  return lanes && lanes->isMinusOne() && other.operation != kind.operation;
}

/// The control flow of a kernel, and where paths join.
struct Shape {
  const LoopInfo &loops;
  const DominatorTree &tree;
  const PostDominatorTree &joins;
};

using Steps = SmallSetVector<Step, 8>;

Steps stepsAt(const BasicBlock *block) {
  Steps steps;
  for (Round round : {Round::Same, Round::Later, Round::Again})
    if (block)
      steps.insert({block, round});
  return steps;
}

/// Returns the block where all diverged lanes come together; null if some leave the kernel.
const BasicBlock *joinOf(const BasicBlock &block, const PostDominatorTree &joins) {
  const DomTreeNode *node = joins.getNode(&block), *behind = node ? node->getIDom() : nullptr;
  return behind ? behind->getBlock() : nullptr;
}

/// What lanes may do after they have diverged, until all of them come together.
struct Walk {
  /// The operations of a kind.
  Sites sites;
  Steps steps;
  /// Steps at which the walk was to end.
  Steps ends;
};

/// The places where lanes exchange values by operations of one kind.
class Meetings {
public:
  Meetings(const Kind &kind, const Kinds &kinds, const Shape &shape);
  /// Returns a place at which lanes reach such an operation while others reach one elsewhere, or
  /// null.
  const Instruction *findElsewhere(const Parting &parting) const;

private:
  struct Apart;
  bool endsSearch(const Instruction &inst) const;
  Walk walk(const Parting &parting, unsigned way, const Steps &ends) const;
  bool mayMeet(const Parting &parting, const Site &one, unsigned way, const Site &other,
               unsigned otherWay) const;
  Steps commonSteps(const Parting &parting, unsigned way, unsigned otherWay) const;
  const Instruction *findBetween(const Parting &parting, unsigned way, unsigned otherWay) const;

  const Kind &kind;
  const Kinds &kinds;
  const Shape &shape;
  /// The kernel's operations that may be of this kind.
  SmallPtrSet<const Instruction *, 8> operations;
  /// The blocks from which lanes may reach these operations.
  SmallSetVector<const BasicBlock *, 16> leading;
};

Meetings::Meetings(const Kind &kind, const Kinds &kinds, const Shape &shape)
    : kind(kind), kinds(kinds), shape(shape) {
  const DataLayout &layout = kinds.front().first->getModule()->getDataLayout();
  KnownBits bits = computeKnownBits(kind.lanes, layout);
  for (const auto &[inst, other] : kinds)
    if (other.operation == kind.operation &&
        (other.lanes == kind.lanes || mayBeEqual(bits, computeKnownBits(other.lanes, layout))))
      operations.insert(inst);
  for (const Instruction *inst : operations)
    leading.insert(inst->getParent());
  for (size_t i = 0; i < leading.size(); ++i)
    leading.insert(pred_begin(leading[i]), pred_end(leading[i]));
}

/// Returns whether lanes are together at `inst`, or those of the kind's mask have met there.
bool Meetings::endsSearch(const Instruction &inst) const {
  if (isBarrier(inst))
    return true;
  auto found = kinds.find(&inst);
  if (found == kinds.end())
    return false;
  // In a loop, a mask may be a different one in each iteration.
  auto *lanes = dyn_cast<Instruction>(kind.lanes);
  bool isOneMask = !lanes || !shape.loops.getLoopFor(lanes->getParent());
  return bringsTogether(found->second, kind) || (found->second == kind && isOneMask);
}

Walk Meetings::walk(const Parting &parting, unsigned way, const Steps &ends) const {
  const Loop *loop = parting.loop;
  Walk walk;
  SmallSetVector<PointerIntPair<Step, 1, bool>, 16> reached;
  auto reach = [&](const BasicBlock &next, bool isFromLoop, Round round, bool isFresh) {
    if (!loop || !loop->contains(&next))
      round = Round::Same;
    else if (!isFromLoop)
      round = Round::Again;
    else if (&next == loop->getHeader() && round == Round::Same)
      round = Round::Later;
    Step step = {&next, round};
    if (!leading.contains(&next))
      return;
    if (ends.contains(step))
      walk.ends.insert(step);
    else if (reached.insert({step, isFresh && !shape.tree.dominates(&next, parting.block)}))
      walk.steps.insert(step);
  };
  reach(*parting.block->getTerminator()->getSuccessor(way), true, Round::Same, true);
  for (size_t i = 0; i < reached.size(); ++i) {
    const BasicBlock *from = reached[i].getPointer().getPointer();
    Round round = reached[i].getPointer().getInt();
    bool isFresh = reached[i].getInt();
    auto end = find_if(*from, [&](const Instruction &inst) {
      if (operations.contains(&inst))
        walk.sites.insert({{&inst, round}, isFresh});
      return endsSearch(inst);
    });
    if (end == from->end())
      for (const BasicBlock *next : successors(from))
        reach(*next, loop && loop->contains(from), round, isFresh);
  }
  return walk;
}

/// Returns whether lanes that reach one place may name lanes that reach the other.
bool Meetings::mayMeet(const Parting &parting, const Site &one, unsigned way, const Site &other,
                       unsigned otherWay) const {
  auto arrive = [&](const Site &site, unsigned way, unsigned otherWay) {
    const Instruction *inst = site.getPointer().getPointer();
    const Value *lanes = kinds.find(inst)->second.lanes;
    return Arrival{parting.block, way, otherWay, inst, lanes, site.getInt()};
  };
  return one.getPointer() != other.getPointer() &&
         mayNameEachOther(arrive(one, way, otherWay), arrive(other, otherWay, way), shape.tree,
                          shape.loops);
}

/// Returns the steps that lanes may take on both sides before they diverge again.
Steps Meetings::commonSteps(const Parting &parting, unsigned way, unsigned otherWay) const {
  Steps again = stepsAt(parting.block);
  Walk one = walk(parting, way, again), other = walk(parting, otherWay, again);
  Steps common;
  for (const Step &step : one.steps)
    if (other.steps.contains(step))
      common.insert(step);
  for (const Step &step : one.ends)
    if (other.ends.contains(step))
      common.insert(step);
  return common;
}

/// What lanes do on two sides before they come together again, if they are known to.
struct Meetings::Apart {
  Walk one, other;
  bool areJoined;

  Apart(const Meetings &meetings, const Parting &parting, unsigned way, unsigned otherWay,
        const Steps &joins)
      : one(meetings.walk(parting, way, joins)), other(meetings.walk(parting, otherWay, joins)) {
    Steps ends = one.ends;
    ends.insert(other.ends.begin(), other.ends.end());
    areJoined = ends.size() == 1;
  }
  /// Returns whether lanes reach both sites together, or diverge again before.
  bool isBehind(const Site &site, const Site &otherSite) const {
    return areJoined && !one.sites.contains(site) && !other.sites.contains(otherSite);
  }
};

const Instruction *Meetings::findBetween(const Parting &parting, unsigned way,
                                         unsigned otherWay) const {
  Walk one = walk(parting, way, {}), other = walk(parting, otherWay, {});
  if (one.sites.empty() || other.sites.empty())
    return nullptr;
  Apart toCommon(*this, parting, way, otherWay, commonSteps(parting, way, otherWay));
  Apart toJoin(*this, parting, way, otherWay, stepsAt(joinOf(*parting.block, shape.joins)));
  for (const Site &site : one.sites)
    for (const Site &otherSite : other.sites)
      if (!toCommon.isBehind(site, otherSite) && !toJoin.isBehind(site, otherSite) &&
          mayMeet(parting, site, way, otherSite, otherWay))
        return site.getPointer().getPointer();
  return nullptr;
}

const Instruction *Meetings::findElsewhere(const Parting &parting) const {
  unsigned ways = parting.block->getTerminator()->getNumSuccessors();
  for (unsigned way = 0; way < ways; ++way)
    for (unsigned otherWay = way + 1; otherWay < ways; ++otherWay)
      if (const Instruction *site = findBetween(parting, way, otherWay))
        return site;
  return nullptr;
}

const Instruction *findElsewhere(const Kinds &kinds, ArrayRef<Parting> partings,
                                 const Shape &shape) {
  SmallVector<Kind> asked;
  for (const auto &[inst, kind] : kinds) {
    if (is_contained(asked, kind))
      continue;
    asked.push_back(kind);
    Meetings meetings(kind, kinds, shape);
    for (const Parting &parting : partings)
      if (const Instruction *site = meetings.findElsewhere(parting))
        return site;
  }
  return nullptr;
}

/// Returns an operation in a cycle with several entries, whose iterations are not known, or null.
const Instruction *findUnordered(const Kinds &kinds, const CycleInfo &cycles) {
  for (const auto &[inst, kind] : kinds)
    for (const Cycle *cycle = cycles.getCycle(inst->getParent()); cycle;
         cycle = cycle->getParentCycle())
      if (!cycle->isReducible())
        return inst;
  return nullptr;
}

const Instruction *findMeeting(Function &kernel, const Kinds &kinds,
                               FunctionAnalysisManager &analyses, SingleDimensions &single) {
  if (const Instruction *site = findUnordered(kinds, analyses.getResult<CycleAnalysis>(kernel)))
    return site;
  const auto &loops = analyses.getResult<LoopAnalysis>(kernel);
  Shape shape = {loops, analyses.getResult<DominatorTreeAnalysis>(kernel),
                 analyses.getResult<PostDominatorTreeAnalysis>(kernel)};
  const auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(kernel);
  Partings partings = findPartings(kernel, uniformity, loops);
  single[kernel.getName()] |= partings.singleDimensions;
  return findElsewhere(kinds, partings.all, shape);
}

/// Examines a function that kernels reach by calls that are kept; it is not known which lanes reach
/// it together.
const Instruction *findMeetingIn(Function &function, FunctionAnalysisManager &analyses,
                                 SingleDimensions &single) {
  if (function.isDeclaration() || function.hasFnAttribute(ownAttribute))
    return nullptr;
  Kinds kinds = kindsIn(function);
  if (kinds.empty())
    return nullptr;
  return function.getCallingConv() == CallingConv::AMDGPU_KERNEL
             ? findMeeting(function, kinds, analyses, single)
             : kinds.front().first;
}

} // namespace

void findWaveMeetings(const Module &module, ArrayRef<std::string> kernels, TargetMachine &machine,
                      SingleDimensions &single, RefusedKernels &refused) {
  if (none_of(module, isShared))
    return;
  std::unique_ptr<Module> copy = inlineKernels(module, isShared);
  FunctionAnalysisManager analyses;
  PassBuilder(&machine).registerFunctionAnalyses(analyses);
  DenseMap<const GlobalValue *, const Instruction *> found;
  for (Function &function : *copy)
    if (const Instruction *site = findMeetingIn(function, analyses, single))
      found[&function] = site;
  refuseReaching(
      *copy, kernels, found,
      {RefusalKind::WarpMeeting,
       "lanes of a warp may take part in one warp operation at different places in the code, "
       "and on this GPU all lanes of a wave are at one place"},
      refused);
}

} // namespace regrain::amdgpu
