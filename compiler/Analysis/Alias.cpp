//===- Alias.cpp - Whether two accesses touch the same bytes --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Access.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <array>

using namespace mlir;
using namespace regrain;

bool Accesses::isRestricted(const Access &access) const {
  return access.kind == Base::Parameter &&
         grain::KernelOp(kernel).getArgAttr(cast<BlockArgument>(access.base).getArgNumber(),
                                            LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Returns true if no other parameter and no variable is memory of the same allocation.
static bool isDisjoint(grain::KernelOp kernel, const Access &access) {
  return access.kind == Base::Parameter &&
         kernel.getArgAttr(cast<BlockArgument>(access.base).getArgNumber(), disjointAttribute);
}

bool Accesses::mayShareMemory(const Access &first, const Access &second) const {
  return !areDistinct(first, second, Who::Same) || !areDistinct(first, second, Who::AnyThread);
}

/// Returns true if the bases are different memory.
bool Accesses::areDistinct(const Access &first, const Access &second, Who who) const {
  auto either = [&](auto predicate) { return predicate(first) || predicate(second); };
  if (either([](const Access &access) { return !access.base; }))
    return false;
  if (first.addressSpace != second.addressSpace && first.addressSpace != genericSpace &&
      second.addressSpace != genericSpace)
    return true;
  auto isPrivate = [](const Access &access) {
    return access.kind == Base::Stack || access.kind == Base::ByValue;
  };
  auto isShared = [](const Access &access) {
    return access.kind == Base::Shared || access.kind == Base::DynamicShared;
  };
  if ((who != Who::Same && either(isPrivate)) || (who == Who::OtherBlock && either(isShared)))
    return true;
  if (first.base == second.base ||
      either([](const Access &access) { return access.kind == Base::Unknown; }))
    return false;
  if (!either([](const Access &access) { return access.kind == Base::Parameter; }))
    return true;
  auto isApart = [&](const Access &access) {
    return access.kind == Base::Variable || isDisjoint(kernel, access);
  };
  if (isApart(first) && isApart(second))
    return true;
  // `noalias` restricts what one thread accesses, not what others do.
  return either(isPrivate) || either(isShared) ||
         (who == Who::Same && either([&](const Access &access) { return isRestricted(access); }));
}

/// Returns true if two accesses with the same base are proved to be disjoint.
bool Accesses::areApart(const Access &first, const Access &second, ArrayRef<Affine> facts,
                        Differs differs) {
  std::optional<Affine> distance =
      addTimes(*first.offset, -1, AffineForms::inOther(*second.offset, differs));
  if (!distance)
    return false;
  std::optional<Affine> back = addTimes(Affine(), -1, *distance);
  return forms.isAtLeast(*distance, *second.size, facts, differs) ||
         (back && forms.isAtLeast(*back, *first.size, facts, differs));
}

bool Accesses::isRead(Value coordinate) const {
  return llvm::any_of(coordinate.getUsers(), [](Operation *user) { return !isBarrier(user); });
}

/// Two iterations of `nest` differ in a coordinate by a multiple of its step, upwards or downwards.
/// The coordinates are tried in `order`: once one has been tried, it counts as equal in the two
/// iterations.
bool Accesses::areApartInOtherThread(const Access &first, const Access &second,
                                     ArrayRef<Affine> facts, Differs differs, Region &nest,
                                     ArrayRef<int32_t> steps, bool tellApart,
                                     ArrayRef<unsigned> order) {
  SmallVector<Affine> known(facts);
  for (unsigned dimension : order) {
    Value coordinate = nest.getArgument(dimension);
    int32_t step = steps[dimension];
    Affine up;
    up.summands = {{{coordinate, false}, 1}, {{coordinate, true}, -1}};
    Affine down = *addTimes(Affine(), -1, up);
    if (tellApart || isRead(coordinate)) {
      for (Affine direction : {up, down}) {
        Affine contrary = *addTimes(Affine(), -1, direction);
        contrary.constant = step - 1;
        if (forms.isAtLeast(contrary, 0, known, differs))
          continue; // no two threads differ in this direction
        direction.constant = -step;
        known.push_back(direction);
        if (!areApart(first, second, known, differs))
          return false;
        known.pop_back();
      }
    }
    known.push_back(up);
    known.push_back(down);
  }
  return true;
}

/// Returns true if `value` is in a loop, whose iterations different threads run at different times.
static bool isInLoop(Value value) {
  for (Operation *op = value.getParentBlock()->getParentOp(); op; op = op->getParentOp()) {
    if (isa<scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp>(op))
      return true;
    if (isa<grain::ThreadsOp>(op))
      return false;
  }
  return false;
}

bool Accesses::mayAlias(const Access &first, const Access &second, Who who, Operation *apart) {
  if (areDistinct(first, second, who))
    return false;
  if (!first.base || first.base != second.base || !first.offset || !second.offset || !first.size ||
      !second.size)
    return true;
  auto differs = [&](Value value) {
    if (who == Who::Same)
      return apart && apart->isAncestor(value.getParentBlock()->getParentOp());
    Dependence others =
        who == Who::OtherBlock ? Dependence::All : Dependence::Threads | Dependence::ThreadMemory;
    return dependsOn(value, others) || isInLoop(value);
  };
  if (!first.isFixed() && differs(first.base))
    return true;
  SmallVector<Affine> facts = forms.factsAt(first.op);
  for (const Affine &fact : forms.factsAt(second.op))
    facts.push_back(AffineForms::inOther(fact, differs));
  if (who == Who::Same)
    return !areApart(first, second, facts, differs);
  auto threads = first.op->getParentOfType<grain::ThreadsOp>();
  auto blocks = first.op->getParentOfType<grain::BlocksOp>();
  if (!threads || !blocks)
    return true;
  bool isBlock = who == Who::OtherBlock;
  Region &nest = isBlock ? blocks.getBody() : threads.getBody();
  constexpr int32_t ones[] = {1, 1, 1};
  ArrayRef<int32_t> steps = isBlock ? blocks.getFactors() : ones;
  bool tellApart = isBlock || who == Who::AnyThread || areToldApart();
  // The dimensions with the longest strides come first, in either layout of an array.
  constexpr std::array<std::array<unsigned, 3>, 2> orders = {{{2, 1, 0}, {0, 1, 2}}};
  return llvm::none_of(orders, [&](const std::array<unsigned, 3> &order) {
    return areApartInOtherThread(first, second, facts, differs, nest, steps, tellApart, order);
  });
}

bool Accesses::mayAliasInOtherIteration(const Access &first, const Access &second,
                                        scf::ForOp loop) {
  if (areDistinct(first, second, Who::Same))
    return false;
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!first.base || first.base != second.base || !first.offset || !second.offset || !first.size ||
      !second.size || !step || *step < 1)
    return true;
  auto differs = [&](Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  if (!first.isFixed() && differs(first.base))
    return true;
  SmallVector<Affine> facts = forms.factsAt(first.op);
  for (const Affine &fact : forms.factsAt(second.op))
    facts.push_back(AffineForms::inOther(fact, differs));
  Value counter = loop.getInductionVar();
  Affine up;
  up.constant = -*step;
  up.summands = {{{counter, false}, 1}, {{counter, true}, -1}};
  Affine down = up;
  std::swap(down.summands[0].factor, down.summands[1].factor);
  return llvm::any_of(std::array{up, down}, [&](const Affine &direction) {
    SmallVector<Affine> known = facts;
    known.push_back(direction);
    return !areApart(first, second, known, differs);
  });
}

bool Accesses::mustAlias(const Access &first, const Access &second) const {
  return first.base && first.base == second.base && first.offset && second.offset &&
         *first.offset == *second.offset && first.size && first.size == second.size;
}

static Value addressOf(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store ? store.getAddr() : Value();
}

bool Accesses::mustAliasBehind(const Access &first, const Access &second) {
  if (mustAlias(first, second))
    return true;
  Value from = addressOf(first.op), to = addressOf(second.op);
  return from && to && first.base && first.base == second.base && first.size &&
         first.size == second.size && sameAddress.areEqual(from, to, second.op);
}

bool Accesses::areSameByCounter(const Access &first, scf::ForOp in, const Access &second,
                                scf::ForOp of) {
  Value from = addressOf(first.op), to = addressOf(second.op);
  return from && to && first.size && first.size == second.size &&
         sameAddress.areEqualByCounter(from, in, to, of);
}

std::optional<unsigned> Accesses::iterationsBetween(const Access &earlier, const Access &later,
                                                    scf::ForOp loop, unsigned most) {
  Value from = addressOf(earlier.op), to = addressOf(later.op);
  if (!from || !to || !earlier.size || earlier.size != later.size)
    return std::nullopt;
  return sameAddress.iterationsBetween(from, to, loop, most);
}
