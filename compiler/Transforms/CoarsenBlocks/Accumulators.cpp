//===- Accumulators.cpp - Shared arrays in which blocks accumulate --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CoarsenBlocks/Accumulators.h"

#include "compiler/Analysis/AtomicOrder.h"
#include "compiler/Analysis/Callee.h"
#include "compiler/Refusal/Refuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace regrain;

namespace {

using Refused = std::optional<Refusal>;
using Kind = LLVM::AtomicBinOp;

/// The accesses to one array. All atomic operations have one kind and one type.
struct ArrayUse {
  SmallVector<LLVM::StoreOp> fills;
  SmallVector<LLVM::AtomicRMWOp> updates;
  SmallVector<LLVM::LoadOp> reads;
  SmallVector<LLVM::AtomicRMWOp> flushes;
};

Refusal refuseArray(Operation *op, const Twine &reason) {
  return refuse(op, RefusalKind::NothingAccumulated, reason);
}

/// Returns the combination that an operation forms: subtracting is adding another number.
Kind combinationOf(LLVM::AtomicRMWOp op) {
  return op.getBinOp() == Kind::sub ? Kind::add : op.getBinOp();
}

/// Returns whether combining a value with itself changes nothing.
bool isIdempotent(Kind kind) {
  return kind != Kind::add && kind != Kind::_xor && kind != Kind::fadd;
}

/// Returns whether the combination of two elements is that of their bits.
bool isBitwise(Kind kind) { return kind == Kind::_and || kind == Kind::_or || kind == Kind::_xor; }

/// Returns whether `fill` leaves nothing of the elements that it changes.
bool fillsWhole(LLVM::StoreOp fill, Type element) {
  DataLayout layout = DataLayout::closest(fill);
  uint64_t bytes = layout.getTypeSize(element).getFixedValue();
  return layout.getTypeSize(fill.getValue().getType()).getFixedValue() % bytes == 0 &&
         fill.getAlignment().value_or(bytes) % bytes == 0;
}

/// Returns whether all bits of a constant are zero.
bool isZero(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return isa_and_nonnull<LLVM::ZeroOp>(value.getDefiningOp());
  if (auto elements = dyn_cast<DenseElementsAttr>(constant)) {
    if (!elements.isSplat())
      return false;
    constant = elements.getSplatValue<Attribute>();
  }
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().isPosZero();
  auto integer = dyn_cast<IntegerAttr>(constant);
  return integer && integer.getValue().isZero();
}

/// Returns whether `value` is the constant that changes nothing in a combination of integers.
bool isNeutral(Value value, Kind kind) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return false;
  switch (kind) {
  case Kind::_and:
  case Kind::umin:
    return number.isAllOnes();
  case Kind::max:
    return number.isMinSignedValue();
  case Kind::min:
    return number.isMaxSignedValue();
  default:
    return number.isZero();
  }
}

/// Returns whether `test` holds if and only if `read` is not neutral; nothing if it is no such
/// test.
std::optional<bool> holdsUnlessNeutral(arith::CmpIOp test, Value read, Kind kind) {
  if (test.getLhs() != read || !isNeutral(test.getRhs(), kind))
    return std::nullopt;
  switch (test.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return false;
  case arith::CmpIPredicate::ne:
    return true;
  case arith::CmpIPredicate::ugt:
    return isZero(test.getRhs()) ? std::optional(true) : std::nullopt;
  default:
    return std::nullopt;
  }
}

class AccumulatorFinder {
public:
  AccumulatorFinder(grain::BlocksOp blocks, Dependence varying, bool reassociate)
      : blocks(blocks), varying(varying), reassociate(reassociate) {}

  Refused run(const llvm::DenseSet<Operation *> &filledAlike, Accumulators &found);

private:
  Refused collect(Value address, ArrayUse &use);
  Refused checkUpdates(const ArrayUse &use);
  Refused findFlushes(ArrayUse &use);
  Refused checkTest(arith::CmpIOp test, LLVM::LoadOp read, const ArrayUse &use);
  Refused checkUniform(const ArrayUse &use, const Uniformity &uniformity);
  Operation *findVaryingControl(Operation *op, const Uniformity &uniformity);
  void gather(const llvm::DenseSet<Operation *> &filledAlike);
  void keepUniform(const llvm::DenseSet<Operation *> &filledAlike);
  Refused checkDynamic();

  grain::BlocksOp blocks;
  Dependence varying;
  bool reassociate;
  llvm::MapVector<Operation *, ArrayUse> arrays;
  llvm::MapVector<Operation *, Refusal> refusals; ///< of the other arrays that are updated
};

/// Gathers the accesses through `address`, in the order in which they were written. Returns the
/// first refusal, but gathers all of them.
Refused AccumulatorFinder::collect(Value address, ArrayUse &use) {
  constexpr auto notAtomic = LLVM::AtomicOrdering::not_atomic;
  Refused refused;
  auto uses = llvm::to_vector(llvm::make_pointer_range(address.getUses()));
  for (OpOperand *each : llvm::reverse(uses)) {
    OpOperand &operand = *each;
    Operation *user = operand.getOwner();
    bool isAddress = operand.getOperandNumber() == 0;
    auto load = dyn_cast<LLVM::LoadOp>(user);
    auto store = dyn_cast<LLVM::StoreOp>(user);
    auto update = dyn_cast<LLVM::AtomicRMWOp>(user);
    Refused here;
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp>(user) && isAddress)
      here = collect(user->getResult(0), use);
    else if (load && !load.getVolatile_() && load.getOrdering() == notAtomic)
      use.reads.push_back(load);
    else if (store && store.getValue() != address && !store.getVolatile_() &&
             store.getOrdering() == notAtomic)
      use.fills.push_back(store);
    else if (update && isAddress && !update.getVolatile_())
      use.updates.push_back(update);
    else
      here = refuseArray(user, "a shared array is accessed in another way than by plain loads, "
                               "plain stores and atomic arithmetic");
    if (!refused)
      refused = here;
  }
  return refused;
}

Refused AccumulatorFinder::checkUpdates(const ArrayUse &use) {
  LLVM::AtomicRMWOp one = use.updates.front();
  Kind kind = combinationOf(one);
  for (LLVM::AtomicRMWOp update : use.updates) {
    if (!update.getRes().use_empty())
      return refuseArray(update, "the result of an atomic operation on a shared array is used");
    if (combinationOf(update) != kind || update.getVal().getType() != one.getVal().getType())
      return refuseArray(update, "atomic operations of several kinds update a shared array");
  }
  if (kind == Kind::fadd && !reassociate)
    return refuseArray(one, "floating-point numbers are added up in a shared array, and would be "
                            "added in another order");
  if (!isUnordered(kind, reassociate))
    return refuseArray(one, "the atomic operations on a shared array have another result in "
                            "another order");
  for (LLVM::StoreOp fill : use.fills) {
    if (!isIdempotent(kind) && !isZero(fill.getValue()))
      return refuseArray(fill, "a shared array is filled with other values than 0");
    if (!isBitwise(kind) && !fillsWhole(fill, one.getVal().getType()))
      return refuseArray(fill, "a store changes a part of an element of a shared array");
  }
  return std::nullopt;
}

/// Finds the flushes of an array, which are the only uses of what is read from it.
Refused AccumulatorFinder::findFlushes(ArrayUse &use) {
  LLVM::AtomicRMWOp one = use.updates.front();
  for (LLVM::LoadOp read : use.reads)
    for (OpOperand &operand : read->getUses()) {
      auto flush = dyn_cast<LLVM::AtomicRMWOp>(operand.getOwner());
      if (flush && flush.getVal() == read && flush.getPtr() != read.getResult()) {
        if (!flush.getRes().use_empty())
          return refuseArray(flush, "the result of the atomic operation that flushes a shared "
                                    "array is used");
        if (combinationOf(flush) != combinationOf(one) || flush.getVolatile_() ||
            read.getType() != one.getVal().getType())
          return refuseArray(flush, "a shared array is flushed by another atomic operation than "
                                    "updates it");
        use.flushes.push_back(flush);
      } else if (!isa<arith::CmpIOp>(operand.getOwner())) {
        return refuseArray(operand.getOwner(), "what is read from a shared array is used otherwise "
                                               "than to flush it by the same atomic operation");
      }
    }
  for (LLVM::LoadOp read : use.reads)
    for (Operation *user : read->getUsers())
      if (auto test = dyn_cast<arith::CmpIOp>(user))
        if (Refused refused = checkTest(test, read, use))
          return refused;
  return std::nullopt;
}

/// Returns whether both loads read the same element, and nothing between the first one and
/// `branch`, which contains the second one, may change it.
bool readSame(LLVM::LoadOp first, LLVM::LoadOp second, scf::IfOp branch) {
  if (first == second)
    return true;
  if (first.getAddr() != second.getAddr() || first->getBlock() != branch->getBlock())
    return false;
  for (Operation *op = first->getNextNode(); op != branch; op = op->getNextNode())
    if (!op || op->getNumRegions() != 0 || (hasEffect(op) && !isa<LLVM::LoadOp>(op)))
      return false;
  return true;
}

/// Refuses a comparison unless it only guards flushes of `read`, which change nothing where they do
/// not run.
Refused AccumulatorFinder::checkTest(arith::CmpIOp test, LLVM::LoadOp read, const ArrayUse &use) {
  std::optional<bool> holds = holdsUnlessNeutral(test, read, combinationOf(use.updates.front()));
  auto refused = [&] {
    return refuseArray(test, "a condition depends on what is read from a shared array, and guards "
                             "more than that an element without effect is not flushed");
  };
  if (!holds)
    return refused();
  for (Operation *user : test->getUsers()) {
    auto branch = dyn_cast<scf::IfOp>(user);
    if (!branch || branch.getNumResults() != 0)
      return refused();
    Region &flushing = *holds ? branch.getThenRegion() : branch.getElseRegion();
    auto isAllowed = [&](Operation *op) {
      auto flush = dyn_cast<LLVM::AtomicRMWOp>(op);
      if (flush && flushing.isAncestor(op->getParentRegion()) &&
          llvm::is_contained(use.flushes, flush))
        if (auto own = flush.getVal().getDefiningOp<LLVM::LoadOp>())
          return readSame(read, own, branch);
      return op->getNumRegions() == 0 && (!hasEffect(op) || isa<LLVM::LoadOp>(op));
    };
    bool areAllowed = true;
    for (Region &region : branch->getRegions())
      region.walk([&](Operation *op) { areAllowed &= isAllowed(op); });
    if (!areAllowed)
      return refused();
  }
  return std::nullopt;
}

/// Returns what decides whether `op` runs and differs between the joined blocks, or null.
Operation *AccumulatorFinder::findVaryingControl(Operation *op, const Uniformity &uniformity) {
  for (Operation *holder = op->getParentOp(); !isa<grain::ThreadsOp>(holder);
       holder = holder->getParentOp())
    if (overlap(uniformity.ofControl(holder), varying))
      return holder;
  return nullptr;
}

Refused AccumulatorFinder::checkUniform(const ArrayUse &use, const Uniformity &uniformity) {
  for (LLVM::StoreOp fill : use.fills)
    if (overlap(uniformity.of(fill.getValue()) | uniformity.of(fill.getAddr()), varying) ||
        findVaryingControl(fill, uniformity))
      return refuseArray(fill, "joined blocks fill a shared array in different ways");
  for (LLVM::AtomicRMWOp flush : use.flushes) {
    if (overlap(uniformity.of(flush.getPtr()), varying))
      return refuseArray(flush, "joined blocks flush a shared array to different addresses");
    auto read = flush.getVal().getDefiningOp<LLVM::LoadOp>();
    if (overlap(uniformity.of(read.getAddr()), varying))
      return refuseArray(read, "joined blocks flush different elements of a shared array to the "
                               "same address");
    if (Operation *control = findVaryingControl(flush, uniformity))
      return refuseArray(control, "joined blocks flush a shared array under different conditions");
  }
  return std::nullopt;
}

/// Gathers the arrays that blocks update, and what refuses the others.
void AccumulatorFinder::gather(const llvm::DenseSet<Operation *> &filledAlike) {
  for (Operation &op : blocks.getBody().front()) {
    if (!isa<grain::SharedOp, grain::DynamicSharedOp>(op) || filledAlike.contains(&op))
      continue;
    ArrayUse use;
    Refused refused = collect(op.getResult(0), use);
    if (use.updates.empty())
      continue;
    if (!refused)
      refused = checkUpdates(use);
    if (!refused)
      refused = findFlushes(use);
    if (refused)
      refusals.insert({&op, *refused});
    else
      arrays[&op] = std::move(use);
  }
}

/// Removes arrays that joined blocks use differently. All count as common until one is found.
void AccumulatorFinder::keepUniform(const llvm::DenseSet<Operation *> &filledAlike) {
  for (bool changed = true; std::exchange(changed, false);) {
    llvm::DenseSet<Operation *> common = filledAlike;
    for (auto &[array, use] : arrays)
      common.insert(array);
    Uniformity uniformity(blocks->getParentOfType<grain::KernelOp>(), &common);
    arrays.remove_if([&](auto &entry) {
      Refused refused = checkUniform(entry.second, uniformity);
      if (refused)
        refusals.insert({entry.first, *refused});
      changed |= refused.has_value();
      return refused.has_value();
    });
  }
}

/// Refuses dynamic shared memory in which blocks do not accumulate: the launch has one for all.
Refused AccumulatorFinder::checkDynamic() {
  auto dynamic = blocks.getBody().getOps<grain::DynamicSharedOp>();
  if (dynamic.empty())
    return std::nullopt;
  if (!llvm::hasSingleElement(dynamic))
    return refuseArray(*std::next(dynamic.begin()), "dynamic shared memory has several names");
  Operation *one = *dynamic.begin();
  if (llvm::any_of(llvm::seq(0u, 3u),
                   [&](unsigned d) { return blocks.threads().getFusedIn(d) != 1; }))
    return refuseArray(one, "fused blocks have their own dynamic shared memory, at places that "
                            "depend on the number of joined blocks");
  if (arrays.contains(one))
    return std::nullopt;
  if (auto found = refusals.find(one); found != refusals.end())
    return found->second;
  return refuseArray(one, "each of the joined blocks needs its own dynamic shared memory, because "
                          "no atomic operation accumulates in it");
}

Refused AccumulatorFinder::run(const llvm::DenseSet<Operation *> &filledAlike,
                               Accumulators &found) {
  gather(filledAlike);
  keepUniform(filledAlike);
  if (Refused refused = checkDynamic())
    return refused;
  if (arrays.empty())
    return refusals.empty()
               ? refuseArray(blocks, "no atomic operation accumulates in a shared array")
               : refusals.front().second;
  for (auto &[array, use] : arrays) {
    found.arrays.insert(array);
    found.updates.insert(use.updates.begin(), use.updates.end());
    found.flushes.insert(use.flushes.begin(), use.flushes.end());
    found.outside.insert(use.fills.begin(), use.fills.end());
    found.outside.insert(use.reads.begin(), use.reads.end());
    found.outside.insert(use.flushes.begin(), use.flushes.end());
  }
  return std::nullopt;
}

} // namespace

std::optional<Refusal> regrain::findAccumulators(grain::BlocksOp blocks, Dependence varying,
                                                 const llvm::DenseSet<Operation *> &filledAlike,
                                                 bool reassociate, Accumulators &found) {
  return AccumulatorFinder(blocks, varying, reassociate).run(filledAlike, found);
}
