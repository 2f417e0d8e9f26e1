//===- ReorderTrees.cpp - Trees that begin among neighbours ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ReorderTrees/ReorderTrees.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/Uniformity.h"
#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/UnrollLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

/// The operations that all steps together may take.
static constexpr unsigned mostUnrolled = 1024;

namespace {

/// if (t < distance) a[t] = combine(a[t], a[t + distance])
struct Step {
  scf::IfOp branch;
  BlockArgument thread;
  int64_t distance = 0;
  LLVM::GEPOp own, other; ///< places
  LLVM::LoadOp load;      ///< of the other element
  Operation *combine = nullptr;
};

} // namespace

/// Returns whether the order and the pairs in which numbers are combined do not matter.
static bool isOfAnyOrder(Operation *op, bool mayReorderSums) {
  if (isa<LLVM::FAddOp>(op))
    return mayReorderSums;
  if (isa<arith::AddIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
          arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, LLVM::MaxNumOp, LLVM::MinNumOp>(op))
    return true;
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && call.getCallee() &&
         llvm::is_contained({"__nv_fmaxf", "__nv_fminf", "__nv_fmax", "__nv_fmin"},
                            *call.getCallee());
}

/// Returns the last index of a place if it is not a constant.
static Value lastIndex(LLVM::GEPOp place) {
  ArrayRef<int32_t> indices = place.getRawConstantIndices();
  bool isDynamic = !indices.empty() && indices.back() == LLVM::GEPOp::kDynamicIndex;
  return isDynamic ? place.getDynamicIndices().back() : Value();
}

static Value withoutExtension(Value index) {
  Operation *op = index ? index.getDefiningOp() : nullptr;
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) ? op->getOperand(0) : index;
}

/// Returns whether two places are in one row.
static bool areInOneRow(LLVM::GEPOp place, LLVM::GEPOp other) {
  return place.getBase() == other.getBase() && place.getElemType() == other.getElemType() &&
         place.getRawConstantIndices() == other.getRawConstantIndices() &&
         llvm::equal(place.getDynamicIndices().drop_back(), other.getDynamicIndices().drop_back());
}

static bool isPlain(Operation *access) {
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    return !load.getVolatile_() && load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  auto store = dyn_cast<LLVM::StoreOp>(access);
  return store && !store.getVolatile_() && store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

/// Matches the condition and the distance.
static bool matchGuard(Step &step) {
  auto guard = step.branch.getCondition().getDefiningOp<arith::CmpIOp>();
  APInt distance;
  if (!guard || !matchPattern(guard.getRhs(), m_ConstantInt(&distance)) ||
      !llvm::is_contained({arith::CmpIPredicate::slt, arith::CmpIPredicate::ult},
                          guard.getPredicate()))
    return false;
  step.thread = dyn_cast<BlockArgument>(guard.getLhs());
  step.distance = distance.getSExtValue();
  return step.thread && isa<grain::ThreadsOp>(step.thread.getOwner()->getParentOp());
}

/// Matches the places of both elements.
static bool matchPlaces(Step &step) {
  if (!step.own || !step.other || !areInOneRow(step.own, step.other) ||
      withoutExtension(lastIndex(step.own)) != step.thread)
    return false;
  Value index = withoutExtension(lastIndex(step.other));
  auto sum = index ? index.getDefiningOp<arith::AddIOp>() : nullptr;
  APInt distance;
  return sum && sum.getLhs() == step.thread &&
         matchPattern(sum.getRhs(), m_ConstantInt(&distance)) &&
         distance.getSExtValue() == step.distance;
}

static std::optional<Step> matchStep(Operation *op, bool mayReorderSums) {
  Step step;
  step.branch = dyn_cast<scf::IfOp>(op);
  if (!step.branch || step.branch.getNumResults() || step.branch.elseBlock() || !matchGuard(step))
    return std::nullopt;
  SmallVector<LLVM::LoadOp> loads;
  LLVM::StoreOp store;
  for (Operation &inside : step.branch.thenBlock()->without_terminator()) {
    auto load = dyn_cast<LLVM::LoadOp>(inside);
    bool isStore = isa<LLVM::StoreOp>(inside);
    if ((load || isStore) ? !isPlain(&inside) || store : hasEffect(&inside))
      return std::nullopt;
    if (load)
      loads.push_back(load);
    if (isStore)
      store = cast<LLVM::StoreOp>(inside);
  }
  step.combine = store ? store.getValue().getDefiningOp() : nullptr;
  if (loads.size() != 2 || !step.combine || !isOfAnyOrder(step.combine, mayReorderSums))
    return std::nullopt;
  if (loads[0].getAddr() != store.getAddr())
    std::swap(loads[0], loads[1]);
  auto operands = step.combine->getOperands();
  if (loads[0].getAddr() != store.getAddr() || operands.size() != 2 ||
      !llvm::all_of(
          loads, [&](LLVM::LoadOp load) { return llvm::is_contained(operands, load.getResult()); }))
    return std::nullopt;
  step.own = store.getAddr().getDefiningOp<LLVM::GEPOp>();
  step.other = loads[1].getAddr().getDefiningOp<LLVM::GEPOp>();
  step.load = loads[1];
  return matchPlaces(step) ? std::optional(step) : std::nullopt;
}

static bool areOfOneTree(const Step &step, const Step &next) {
  LLVM::GEPOp place = step.own, after = next.own;
  return next.distance * 2 == step.distance && next.thread == step.thread &&
         areInOneRow(place, after) && step.combine->getName() == next.combine->getName() &&
         step.combine->getAttrs() == next.combine->getAttrs();
}

/// Returns the steps of a tree that begins at `op`, down to the distance of 1. Between them are
/// barriers, and nothing else that has an effect.
static SmallVector<Step> matchTree(Operation *op, bool mayReorderSums) {
  SmallVector<Step> steps;
  bool haveMet = false;
  for (; op; op = op->getNextNode()) {
    if (isa<grain::BarrierOp>(op)) {
      haveMet = true;
      continue;
    }
    if (!hasEffect(op))
      continue;
    std::optional<Step> step = matchStep(op, mayReorderSums);
    bool fits = step && (steps.empty() || (haveMet && areOfOneTree(steps.back(), *step)));
    if (!fits)
      return {};
    steps.push_back(*step);
    haveMet = false;
    if (step->distance == 1)
      return steps;
  }
  return {};
}

/// Returns the variable that `address` is in; null for other memory.
static Operation *variableOf(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (isa<grain::SharedOp, grain::DynamicSharedOp>(op))
      return op;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(op))
      return nullptr;
    address = op->getOperand(0);
  }
  return nullptr;
}

/// Returns whether an access of this type is to the first element of the row, and to nothing behind
/// it.
static bool isOfFirst(Value address, Type type, const Step &step) {
  LLVM::GEPOp row = step.own;
  LLVM::LoadOp element = step.load;
  ArrayRef<int32_t> before = row.getRawConstantIndices().drop_back(), indices;
  ValueRange others = row.getDynamicIndices().drop_back();
  if (type != element.getResult().getType())
    return false;
  if (address != row.getBase()) {
    auto place = address.getDefiningOp<LLVM::GEPOp>();
    if (!place || place.getBase() != row.getBase() || place.getElemType() != row.getElemType() ||
        !llvm::equal(place.getDynamicIndices(), others))
      return false;
    indices = place.getRawConstantIndices();
  } else if (!others.empty()) {
    return false;
  }
  // Indices that are left out are zeros. One that is dynamic stands where that of the row does.
  size_t common = std::min(indices.size(), before.size());
  auto isZero = [](int32_t index) { return index == 0; };
  return indices.take_front(common) == before.take_front(common) &&
         llvm::all_of(indices.drop_front(common), isZero) &&
         llvm::all_of(before.drop_front(common), isZero);
}

/// Returns whether the variable has no other name. Dynamic shared memory may have several.
static bool hasOneName(Operation *variable) {
  auto names = variable->getBlock()->getOps<grain::DynamicSharedOp>();
  return !isa<grain::DynamicSharedOp>(variable) || llvm::hasSingleElement(names);
}

/// Returns the last barrier of the block in front of the tree; null if there is none.
static Operation *barrierBefore(Operation *tree) {
  Operation *op = tree->getPrevNode();
  while (op && !isa<grain::BarrierOp>(op))
    op = op->getPrevNode();
  return op;
}

static bool isOfFirst(Operation *access, const Step &step) {
  if (auto load = dyn_cast<LLVM::LoadOp>(access))
    return isOfFirst(load.getAddr(), load.getResult().getType(), step);
  auto store = dyn_cast<LLVM::StoreOp>(access);
  return store && isOfFirst(store.getAddr(), store.getValue().getType(), step);
}

/// Returns whether all uses of the variable are accesses in front of the tree, those of its steps,
/// and accesses to the first element behind it. Threads meet behind the accesses in front, because
/// in the other order the first step reads what other threads have written, and writes what they
/// have read.
static bool isReadAtFirst(Operation *variable, ArrayRef<Step> steps) {
  SmallVector<Value> addresses(variable->getResults());
  Block *block = steps.front().branch->getBlock();
  Operation *meeting = barrierBefore(steps.front().branch);
  auto isAllowed = [&](Operation *user) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (!inBlock || !isPlain(user))
      return false;
    if ((meeting && inBlock->isBeforeInBlock(meeting)) ||
        llvm::any_of(steps, [&](const Step &step) { return step.branch == inBlock; }))
      return true;
    return !inBlock->isBeforeInBlock(steps.front().branch) && isOfFirst(user, steps.front());
  };
  for (size_t next = 0; next < addresses.size(); ++next)
    for (OpOperand &use : addresses[next].getUses()) {
      Operation *user = use.getOwner();
      if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user) && use.getOperandNumber() == 0)
        llvm::append_range(addresses, user->getResults());
      else if (!isAllowed(user) || (isa<LLVM::StoreOp>(user) && use.getOperandNumber() == 0))
        return false;
    }
  return true;
}

/// Returns the number of threads along the tree that run in each block, 0 if it is not known.
static int64_t threadsAlong(const Step &step) {
  auto blocks = step.branch->getParentOfType<grain::BlocksOp>();
  std::optional<ArrayRef<int32_t>> sizes = blocks.getKnownBlock();
  return sizes ? (*sizes)[step.thread.getArgNumber()] : 0;
}

static void setDistance(Step &step, int64_t distance, int64_t elements) {
  OpBuilder builder(step.branch);
  Location location = step.branch.getLoc();
  auto number = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(location,
                                             builder.getIntegerAttr(step.thread.getType(), value));
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value left, Value right) -> Value {
    return builder.create<arith::CmpIOp>(location, predicate, left, right);
  };
  Value rest = builder.create<arith::AndIOp>(location, step.thread, number(2 * distance - 1));
  Value condition = compare(arith::CmpIPredicate::eq, rest, number(0));
  if (threadsAlong(step) > elements)
    condition = builder.create<arith::AndIOp>(
        location, condition, compare(arith::CmpIPredicate::ult, step.thread, number(elements)));
  step.branch.getConditionMutable().assign(condition);
  builder.setInsertionPointToStart(step.branch.thenBlock());
  constexpr auto noWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Value index = builder.create<arith::AddIOp>(location, step.thread, number(distance), noWrap);
  Type type = lastIndex(step.other).getType();
  if (index.getType() != type)
    index = builder.create<arith::ExtUIOp>(location, type, index);
  auto place = cast<LLVM::GEPOp>(builder.clone(*step.other));
  place->setOperand(place->getNumOperands() - 1, index);
  // In the order of the block, the place may be in front of what its other indices are.
  place->moveBefore(step.load);
  step.load.getAddrMutable().assign(place);
  step.combine->removeAttr("overflowFlags"); // other sums may overflow
}

/// Returns whether all threads along the tree have it in the same row.
static bool isRowShared(const Step &step, const Uniformity &uniformity) {
  unsigned dimension = step.thread.getArgNumber();
  auto varying = Dependence(uint8_t(Dependence::ThreadX) << dimension) | Dependence::ThreadMemory;
  auto isShared = [&](Value value) { return !overlap(uniformity.of(value), varying); };
  LLVM::GEPOp place = step.own;
  return isShared(place.getBase()) && llvm::all_of(place.getDynamicIndices().drop_back(), isShared);
}

static bool reorder(Operation *first, bool mayReorderSums, const Uniformity &uniformity) {
  SmallVector<Step> steps = matchTree(first, mayReorderSums);
  if (steps.size() < 2)
    return false;
  int64_t farthest = steps.front().distance;
  Operation *variable = variableOf(steps.front().own.getBase());
  if (!variable || !hasOneName(variable) || threadsAlong(steps.front()) < 2 * farthest ||
      !isRowShared(steps.front(), uniformity) || !isReadAtFirst(variable, steps))
    return false;
  for (Step &step : steps)
    setDistance(step, farthest / step.distance, 2 * farthest);
  return true;
}

/// Unrolls the loops of the block in which threads meet.
static void unrollSteps(Block &block) {
  unsigned budget = mostUnrolled;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    bool haveMet = false;
    op.walk([&](Operation *inside) { haveMet |= isa<grain::BarrierOp>(inside); });
    if (haveMet && isa<scf::ForOp, scf::WhileOp>(op))
      unrollLoop(&op, budget);
  }
}

unsigned regrain::reorderTrees(grain::KernelOp kernel, bool mayReorderSums,
                               const FrozenRewritePatternSet &patterns) {
  if (!kernel.blocks() || !kernel.blocks().getKnownBlock())
    return 0;
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  unrollSteps(kernel.blocks().threads().getBody().front());
  unsigned trees = 0;
  if (succeeded(cleanUp(kernel, patterns))) {
    Uniformity uniformity(kernel);
    for (Operation &op : kernel.blocks().threads().getBody().front())
      if (isa<scf::IfOp>(op))
        trees += reorder(&op, mayReorderSums, uniformity);
  }
  if (trees == 0)
    kernel.getBody().takeBody(before->getBody());
  return trees;
}
