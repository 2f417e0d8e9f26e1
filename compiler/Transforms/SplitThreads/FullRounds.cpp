//===- FullRounds.cpp - Rounds in which all lanes run ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/FullRounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace regrain;

/// Sums of counters do not wrap.
constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

namespace {

class FullRounds {
public:
  FullRounds(scf::ForOp old, scf::IfOp branch, unsigned rounds, int64_t reach, int64_t last)
      : old(old), branch(branch), rounds(rounds), reach(reach), last(last), outside(old),
        location(old.getLoc()) {}

  scf::ForOp create();

private:
  Value createNumber(OpBuilder &builder, int64_t value) {
    return builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(value));
  }
  void createLoop();
  void copyIteration(OpBuilder &inside, unsigned round);
  void copyRest(OpBuilder &inside, unsigned round);
  void copy(OpBuilder &inside, Operation &op, IRMapping &mapping);
  Value yielded(unsigned number) { return old.getBody()->getTerminator()->getOperand(number); }
  bool isOfIteration(unsigned number) { return yielded(number).getDefiningOp() == branch; }

  scf::ForOp old, loop;
  scf::IfOp branch;
  unsigned rounds;
  int64_t reach, last;
  OpBuilder outside;
  Location location;
  SmallVector<Value> carried;              ///< the values of the old loop, as far as copied
  SmallVector<SmallVector<Value>> results; ///< of the branch, in each round
  SmallVector<Operation *> copies;         ///< of the rest of the current round
};

} // namespace

/// The loop carries where it has come to, too. Its end does not wrap, because the old one does not
/// start at an extreme number.
void FullRounds::createLoop() {
  Value first = old.getLowerBound();
  Value isEmpty = outside.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt,
                                                old.getUpperBound(), first);
  Value end = outside.create<arith::SelectOp>(location, isEmpty, first, old.getUpperBound());
  end = outside.create<arith::SubIOp>(location, end,
                                      createNumber(outside, (rounds - 1) * reach + last), noWrap);
  SmallVector<Value> starts(old.getInitArgs());
  starts.push_back(first);
  loop = outside.create<scf::ForOp>(location, first, end, createNumber(outside, rounds * reach),
                                    starts);
  if (!loop.getBody()->empty())
    loop.getBody()->clear();
}

/// Copies what a lane does in one iteration.
void FullRounds::copyIteration(OpBuilder &inside, unsigned round) {
  IRMapping mapping;
  for (auto [before, now] : llvm::zip_equal(old.getRegionIterArgs(), carried))
    mapping.map(before, now);
  mapping.map(old.getInductionVar(),
              inside.create<arith::AddIOp>(location, loop.getInductionVar(),
                                           createNumber(inside, round * reach), noWrap));
  for (Operation &op : *old.getBody()) {
    if (&op == branch)
      break;
    inside.clone(op, mapping);
  }
  for (Operation &op : branch.thenBlock()->without_terminator())
    inside.clone(op, mapping);
  results.emplace_back();
  for (Value value : branch.thenYield().getOperands())
    results.back().push_back(mapping.lookupOrDefault(value));
  for (unsigned number = 0; number < carried.size(); ++number)
    if (isOfIteration(number))
      carried[number] = results.back()[cast<OpResult>(yielded(number)).getResultNumber()];
}

/// Copies an operation, unless the round has a copy that does the same: lanes exchange a number
/// that is multiplied by itself once.
void FullRounds::copy(OpBuilder &inside, Operation &op, IRMapping &mapping) {
  Operation *made = inside.clone(op, mapping);
  for (Operation *known : copies)
    if (OperationEquivalence::isEquivalentTo(known, made, OperationEquivalence::IgnoreLocations)) {
      for (auto [before, now] : llvm::zip_equal(op.getResults(), known->getResults()))
        mapping.map(before, now);
      return made->erase();
    }
  copies.push_back(made);
}

/// Copies what all lanes do with the results of an iteration of each.
void FullRounds::copyRest(OpBuilder &inside, unsigned round) {
  IRMapping mapping;
  for (auto [before, now] : llvm::zip_equal(old.getRegionIterArgs(), carried))
    mapping.map(before, now);
  for (auto [before, now] : llvm::zip_equal(branch.getResults(), results[round]))
    mapping.map(before, now);
  copies.clear();
  for (Operation *op = branch->getNextNode(); op != old.getBody()->getTerminator();
       op = op->getNextNode())
    copy(inside, *op, mapping);
  for (unsigned number = 0; number < carried.size(); ++number)
    if (!isOfIteration(number))
      carried[number] = mapping.lookupOrDefault(yielded(number));
}

scf::ForOp FullRounds::create() {
  createLoop();
  OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
  carried.append(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end() - 1);
  for (unsigned round = 0; round < rounds; ++round)
    copyIteration(inside, round);
  for (unsigned round = 0; round < rounds; ++round)
    copyRest(inside, round);
  carried.push_back(
      inside.create<arith::AddIOp>(location, loop.getInductionVar(), loop.getStep(), noWrap));
  inside.create<scf::YieldOp>(location, carried);
  old.setLowerBound(loop.getResults().back());
  old.getInitArgsMutable().assign(loop.getResults().drop_back());
  return loop;
}

scf::ForOp regrain::createFullRounds(scf::ForOp loop, scf::IfOp branch, unsigned rounds,
                                     int64_t reach, int64_t last) {
  return FullRounds(loop, branch, rounds, reach, last).create();
}
