//===- DealtLoops.cpp - Which loops are dealt -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/DealtLoops.h"

#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/WarpMeetings.h"
#include "compiler/Transforms/SplitThreads/GuardedRanges.h"
#include "compiler/Transforms/SplitThreads/KeptElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

/// Larger steps, and larger starts of 64-bit counters, could let the counters of lanes overflow
/// although the program's does not.
constexpr int64_t mostStep = 1024, mostStart = int64_t(1) << 40;

/// More operations in a loop of which a lane takes several iterations would be much code.
constexpr size_t mostOperations = 2048;

/// The names of instructions by which lanes hand each other values.
constexpr llvm::StringLiteral exchanges[] = {"nvvm.shfl.", "nvvm.vote.", "nvvm.redux."};

/// The elements that a lane may keep, each in a register or two.
constexpr unsigned mostKept = 160;

static Refusal refuseSplit(Operation *op, const Twine &reason) {
  return refuse(op, RefusalKind::NothingDealt, reason);
}

/// Returns whether the kernel has a parameter by value. A pointer into it may be selected, and then
/// nothing says that a store is to memory of the thread's own.
static bool hasOwnParameter(grain::KernelOp kernel) {
  return llvm::any_of(llvm::seq(0u, kernel.getNumArguments()), [&](unsigned index) {
    return kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName()) != nullptr;
  });
}

bool regrain::isExchange(Operation *op) {
  if (isa<NVVM::ShflOp, NVVM::VoteBallotOp, NVVM::ReduxOp, NVVM::LaneIdOp>(op))
    return true;
  // Operations without a mask take those lanes that happen to run them together.
  auto call = dyn_cast<LLVM::CallOp>(op);
  StringRef name = call ? call.getCallee().value_or("") : "";
  return name.contains(".sync") && llvm::any_of(exchanges, [&](StringRef exchange) {
           return name.contains(exchange) && convergenceOf(call) == Convergence::Warp;
         });
}

/// Refuses an operation that lanes cannot run together for one thread, or warps for one warp.
static std::optional<Refusal> checkOperation(Operation *op, Accesses &accesses, bool areWarps) {
  if (areWarps && (isExchange(op) || isWarpBarrier(op)))
    return std::nullopt;
  if (interactionOf(op).isAny())
    return refuseSplit(op, "lanes that share a thread would run an operation several times that "
                           "concerns other threads, or that may give each of them another value");
  if (isa<LLVM::FreezeOp>(op))
    return refuseSplit(op, "each lane may see another value where the program's is undefined");
  bool isKnown = isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp, grain::ThreadsOp>(op);
  if (op->getNumRegions() != 0 && !isKnown)
    return refuseSplit(op, "control flow of the kernel is not structured");
  if (isa<LLVM::AllocaOp>(op))
    return refuseSplit(op, "the thread has memory of its own, which lanes cannot share");
  std::optional<Access> access = accesses.of(op);
  if (!access || isa<LLVM::LoadOp>(op))
    return std::nullopt;
  if (auto call = dyn_cast<LLVM::CallOp>(op); call && kindOf(call) == CalleeKind::CachedLoad)
    return std::nullopt;
  if (!isa<LLVM::StoreOp>(op))
    return refuseSplit(op, "lanes that share a thread would have an effect several times");
  auto kernel = op->getParentOfType<grain::KernelOp>();
  bool mayBeOwn = access->kind == Base::Unknown && hasOwnParameter(kernel);
  if (access->kind == Base::ByValue || access->addressSpace == localSpace || mayBeOwn)
    return refuseSplit(op, "the thread has memory of its own, which lanes cannot share");
  return std::nullopt;
}

static std::optional<Refusal> checkOperations(grain::BlocksOp blocks, Accesses &accesses,
                                              bool areWarps) {
  std::optional<Refusal> refusal;
  blocks.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    refusal = checkOperation(op, accesses, areWarps);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

DealtLoops::DealtLoops(grain::BlocksOp blocks, const ThreadSplitting &splitting)
    : accesses(blocks->getParentOfType<grain::KernelOp>()), splitting(splitting) {
  auto kernel = blocks->getParentOfType<grain::KernelOp>();
  refusal = checkOperations(blocks, accesses, splitting.areWarps);
  if (refusal)
    return;
  if (splitting.areWarps)
    uniformity.emplace(kernel);
  loops = visit(blocks.threads().getBody().front());
  if (!loops.empty())
    refusal = std::nullopt;
  else if (!refusal)
    refusal = refuseSplit(kernel, "the kernel has no loop that counts");
  checkOrder();
  if (!loops.empty())
    widen();
  if (!refusal && splitting.elements != 0)
    keepElements();
  if (!refusal)
    refusal = findApart(blocks.threads().getBody().front());
}

/// Returns whether all lanes of a program's warp run the same regions of `op`, equally often.
bool DealtLoops::isOfWholeWarps(Operation *op) const {
  return !uniformity || !overlap(uniformity->ofControl(op), Dependence::ThreadX);
}

static bool stores(Operation *root) {
  return root->walk([](LLVM::StoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Finds what one warp runs alone. Refuses it if the others need its results.
std::optional<Refusal> DealtLoops::findApart(Block &block) {
  for (Operation &op : block) {
    bool isDealt = llvm::any_of(loops, [&](DealtLoop &dealt) { return dealt.loop == &op; });
    if (isDealt || op.getNumRegions() == 0)
      continue;
    if (isOfWholeWarps(&op)) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (auto refused = findApart(inner))
            return refused;
      continue;
    }
    if (!stores(&op))
      continue;
    if (!op.use_empty())
      return refuseSplit(&op, "lanes of a warp take different ways through code that stores, and "
                              "go on with its values");
    apart.push_back(&op);
  }
  return std::nullopt;
}

void DealtLoops::keepElements() {
  unsigned rows = findKeptElements(loops, splitting.elements, accesses);
  if (rows == 0)
    refusal = refuse(loops.front().loop, RefusalKind::NothingKept,
                     "no loop that lanes share reads what an earlier one has read or written in "
                     "the same iterations");
  else if (rows * splitting.elements > mostKept)
    refusal = refuse(loops.front().loop, RefusalKind::TooLarge,
                     "the rows would take " + Twine(rows * splitting.elements) +
                         " registers for each lane");
}

std::vector<DealtLoop> DealtLoops::divide() {
  std::vector<DealtLoop> parts;
  for (DealtLoop dealt : loops) {
    auto first = llvm::find_if(
        parts, [&](DealtLoop &other) { return other.loop->getBlock() == dealt.loop->getBlock(); });
    scf::ForOp place = first == parts.end() ? dealt.loop : first->loop;
    for (scf::ForOp range : divideAtGuard(dealt.loop, place)) {
      dealt.loop = range;
      parts.push_back(dealt);
    }
  }
  if (splitting.elements == 0 || parts.size() == loops.size())
    return parts;
  std::vector<DealtLoop> keeping = parts;
  for (DealtLoop &dealt : keeping)
    dealt.rows = {};
  Accesses ofParts(parts.front().loop->getParentOfType<grain::KernelOp>());
  unsigned rows = findKeptElements(keeping, splitting.elements, ofParts);
  return rows * splitting.elements > mostKept ? parts : keeping;
}

unsigned DealtLoops::countRows() {
  std::vector<DealtLoop> trial = loops;
  return refusal ? 0 : findKeptElements(trial, /*elements=*/8, accesses);
}

/// Refuses sums that all lanes of several warps would form alone, one as slowly as the other.
void DealtLoops::checkOrder() {
  for (scf::ForOp loop : inOrder) {
    bool isShared =
        llvm::any_of(loops, [&](DealtLoop &dealt) { return dealt.loop->isAncestor(loop); });
    if (isShared)
      continue;
    loops.clear();
    refusal = refuseSplit(loop, "lanes of several warps cannot add floating-point numbers in the "
                                "program's order");
    return;
  }
}

/// Lets lanes take neighbouring iterations where that joins their accesses.
void DealtLoops::widen() {
  bool gains = false;
  for (DealtLoop &dealt : loops) {
    dealt.joined = findJoined(dealt.loop);
    dealt.width = dealt.joined.empty() ? 1 : splitting.width;
    gains |= !dealt.joined.empty();
  }
  if (!gains && splitting.width != 1)
    refusal = refuseSplit(loops.front().loop,
                          "no loop that lanes share accesses neighbouring elements in iterations "
                          "that one lane could take together");
}

SmallVector<Access> DealtLoops::findJoined(scf::ForOp loop) {
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  bool isShort = first && end && *end - *first < int64_t(splitting.lanes) * splitting.width;
  size_t operations = 0;
  loop.getBody()->walk([&](Operation *) { ++operations; });
  if (getConstantIntValue(loop.getStep()) != 1 || isShort ||
      operations * splitting.width > mostOperations)
    return {};
  Operation *guard = findDividingGuard(loop);
  SmallVector<Access> joined;
  loop.getBody()->walk([&](Operation *op) {
    std::optional<Access> access = accesses.of(op);
    auto branch = dyn_cast<scf::IfOp>(op->getParentOp());
    bool isAlways = op->getBlock() == loop.getBody() ||
                    (guard && branch && branch.getCondition().getDefiningOp() == guard);
    if (isAlways && access && access->size && !access->isOrdered &&
        distanceOf(*access, loop) == access->size)
      joined.push_back(*access);
  });
  return joined;
}

std::vector<DealtLoop> DealtLoops::visit(Block &block) {
  std::vector<DealtLoop> found;
  auto add = [&](std::vector<DealtLoop> more) {
    found.insert(found.end(), more.begin(), more.end());
  };
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      add(visit(loop));
      continue;
    }
    if (isOfWholeWarps(&op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          add(visit(inner));
  }
  return found;
}

std::vector<DealtLoop> DealtLoops::visit(scf::ForOp loop) {
  std::vector<DealtLoop> inner;
  if (isOfWholeWarps(loop))
    inner = visit(*loop.getBody());
  DealtLoop own = {.loop = loop, .carried = {}, .writes = false, .neighbours = 0};
  if (auto why = check(own)) {
    refusal = refusal ? refusal : why;
    return inner;
  }
  bool isInnerBetter = llvm::any_of(
      inner, [&](const DealtLoop &dealt) { return dealt.neighbours > own.neighbours; });
  return isInnerBetter ? inner : std::vector{own};
}

std::optional<Refusal> DealtLoops::checkCounter(scf::ForOp loop) const {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step < 1 || *step > mostStep)
    return refuseSplit(loop, "the counter of the loop does not advance by a small constant");
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
  Type type = loop.getInductionVar().getType();
  if (!type.isInteger(32) && !type.isInteger(64))
    return refuseSplit(loop, "the counter of the loop has neither 32 nor 64 bits");
  Operation *start = loop.getLowerBound().getDefiningOp();
  bool isExtended = isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(start) &&
                    start->getOperand(0).getType().getIntOrFloatBitWidth() <= 32;
  bool isSmall = first ? *first >= -mostStart && *first <= mostStart : isExtended;
  if (type.isInteger(64) && !isSmall)
    return refuseSplit(loop, "nothing bounds where the 64-bit counter of the loop starts");
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  if (first && end && *end < *first + int64_t(splitting.lanes) * *step)
    return refuseSplit(loop, "the loop has fewer iterations than lanes would share it");
  return std::nullopt;
}

/// Returns whether the access is to an element of an array outside of the loop, by its counter.
static bool isElementOfCounter(Operation *op, scf::ForOp loop) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  Type type = store ? store.getValue().getType() : op->getResult(0).getType();
  auto place = op->getOperand(store ? 1 : 0).getDefiningOp<LLVM::GEPOp>();
  if (!place || place.getElemType() != type || place.getIndices().size() != 1 ||
      place.getDynamicIndices().size() != 1 || !loop.isDefinedOutsideOfLoop(place.getBase()))
    return false;
  Value index = place.getDynamicIndices().front();
  Operation *extension = index.getDefiningOp();
  return index == loop.getInductionVar() ||
         (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension) &&
          extension->getOperand(0) == loop.getInductionVar());
}

/// Returns how many bytes behind that of an iteration the access of the next one is.
std::optional<int64_t> DealtLoops::distanceOf(const Access &access, scf::ForOp loop) const {
  if (!access.base || !access.size)
    return std::nullopt;
  int64_t step = getConstantIntValue(loop.getStep()).value();
  if (!access.offset) // which may wrap around
    return isa<LLVM::LoadOp, LLVM::StoreOp>(access.op) && isElementOfCounter(access.op, loop)
               ? std::optional(*access.size * step)
               : std::nullopt;
  return access.offset->factorOf({loop.getInductionVar()}) * step;
}

/// Returns the accesses to elements that are neighbours in neighbouring iterations, less those to
/// distant ones. Iterations that access the same element do not count.
int DealtLoops::countNeighbours(scf::ForOp loop, ArrayRef<Access> inside) const {
  int count = 0;
  int64_t elements = splitting.areWarps ? warpThreads : 1; // from an iteration to the next
  for (const Access &access : inside) {
    std::optional<int64_t> bytes = distanceOf(access, loop);
    bool isSame = bytes == 0 && accesses.isInvariantIn(access, loop);
    count += isSame ? 0 : bytes && std::abs(*bytes) == elements * *access.size ? 1 : -1;
  }
  return count;
}

std::optional<Refusal> DealtLoops::checkMemory(DealtLoop &dealt) {
  SmallVector<Access> inside;
  dealt.loop.getBody()->walk([&](Operation *op) {
    if (std::optional<Access> access = accesses.of(op); access && !isa<LLVM::CallOp>(op))
      inside.push_back(*access);
  });
  for (const Access &one : inside) {
    dealt.writes |= one.writes;
    for (const Access &other : inside) {
      if ((!one.writes && !other.writes) ||
          !accesses.mayAliasInOtherIteration(one, other, dealt.loop))
        continue;
      if (one.base && other.base && one.base != other.base)
        return refuseSplit(one.op, "the loop writes through one pointer and uses another, and what "
                                   "they point to may overlap");
      return refuseSplit(one.op, "several iterations of the loop may access the same memory");
    }
  }
  dealt.neighbours = countNeighbours(dealt.loop, inside);
  return std::nullopt;
}

std::optional<Refusal> DealtLoops::check(DealtLoop &dealt) {
  if (auto why = checkCounter(dealt.loop))
    return why;
  if (Operation *op = findConvergent(dealt.loop, Convergence::Warp))
    return refuseSplit(op, "lanes of a warp interact in the loop");
  if (auto why = findCarriedValues(dealt.loop, splitting.mayReorder, dealt.carried))
    return why;
  if (auto why = checkMemory(dealt))
    return why;
  bool areInWarp = splitting.lanes <= warpThreads && !splitting.areWarps;
  if (areInWarp || !dealt.carried.areOrdered())
    return std::nullopt;
  inOrder.push_back(dealt.loop);
  return refuseSplit(dealt.loop, "the loop adds floating-point numbers in the program's order");
}
