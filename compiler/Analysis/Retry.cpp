//===- Retry.cpp - Loops around a compare-and-exchange --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Retry.h"

#include "compiler/Analysis/Callee.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Looks through operations that keep every bit.
Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<LLVM::BitcastOp, arith::BitcastOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::FreezeOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns the exchange of which `value` is the value seen (position 0) or the success (position
/// 1).
LLVM::AtomicCmpXchgOp exchangeOf(Value value, int64_t position) {
  auto extract = withoutCasts(value).getDefiningOp<LLVM::ExtractValueOp>();
  if (!extract || extract.getPosition() != ArrayRef<int64_t>{position})
    return {};
  return extract.getContainer().getDefiningOp<LLVM::AtomicCmpXchgOp>();
}

class RetryLoop {
public:
  RetryLoop(scf::WhileOp loop, Accesses &accesses) : loop(loop), accesses(accesses) {}

  /// Returns whether `goesOn` holds only if an exchange has failed.
  bool holdsOnFailure(Value goesOn);

private:
  /// Adds the values that `value` is moved from in one step; returns false if it is computed, not
  /// moved.
  bool addSources(Value value, SmallVectorImpl<Value> &sources);
  bool isSeen(LLVM::AtomicCmpXchgOp exchange);
  bool writesElsewise(LLVM::AtomicCmpXchgOp exchange);
  bool comparesExchange(arith::CmpIOp compare);

  scf::WhileOp loop;
  Accesses &accesses;
};

bool RetryLoop::addSources(Value value, SmallVectorImpl<Value> &sources) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned index = argument.getArgNumber();
    if (argument.getOwner() == loop.getBeforeBody())
      sources.push_back(loop.getYieldOp().getOperand(index));
    else if (argument.getOwner() == loop.getAfterBody())
      sources.push_back(loop.getConditionOp().getArgs()[index]);
    else
      return false;
    return true;
  }
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    sources.append({select.getTrueValue(), select.getFalseValue()});
    return true;
  }
  if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    sources.append({branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)});
    return true;
  }
  if (auto choice = value.getDefiningOp<scf::IndexSwitchOp>()) {
    for (Region &region : choice->getRegions())
      sources.push_back(
          region.front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber()));
    return true;
  }
  return false;
}

/// Returns whether the value that the exchange compares with was read at its address in this
/// iteration of the loop or in the previous one, by the exchange itself or by a load. In the first
/// iteration any value will do. A value that has been carried twice may be outdated.
bool RetryLoop::isSeen(LLVM::AtomicCmpXchgOp exchange) {
  if (!loop->isProperAncestor(exchange))
    return false;
  bool staysInPlace = !loop->isAncestor(exchange.getPtr().getParentBlock()->getParentOp());
  llvm::DenseSet<std::pair<Value, unsigned>> visited;
  SmallVector<std::pair<Value, bool>> work{{exchange.getCmp(), false}};
  while (!work.empty()) {
    auto [moved, isOfRoundBefore] = work.pop_back_val();
    Value value = withoutCasts(moved);
    if (!visited.insert({value, unsigned(isOfRoundBefore)}).second ||
        value.getDefiningOp<LLVM::PoisonOp>())
      continue;
    auto load = value.getDefiningOp<LLVM::LoadOp>();
    bool isRead = exchangeOf(value, 0) == exchange ||
                  (load && load.getAddr() == exchange.getPtr() && loop->isProperAncestor(load));
    if (isRead && (staysInPlace || !isOfRoundBefore))
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    bool comesRound = argument && argument.getOwner() == loop.getBeforeBody();
    SmallVector<Value> sources;
    if (isRead || (comesRound && isOfRoundBefore) || !addSources(value, sources))
      return false;
    for (Value source : sources)
      work.push_back({source, isOfRoundBefore || comesRound});
  }
  return !writesElsewise(exchange);
}

/// Returns whether the loop may change what the exchange compares with in another way.
bool RetryLoop::writesElsewise(LLVM::AtomicCmpXchgOp exchange) {
  std::optional<Access> compared = accesses.of(exchange);
  return loop
      ->walk([&](Operation *op) {
        std::optional<Access> access = accesses.of(op);
        auto call = dyn_cast<LLVM::CallOp>(op);
        bool isQuiet = op == exchange || !access || !access->writes ||
                       isa<LLVM::FenceOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op) ||
                       (call && (touchesNoMemory(call) || kindOf(call) == CalleeKind::Sleep ||
                                 kindOf(call) == CalleeKind::Fence));
        return isQuiet || !accesses.mayShareMemory(*access, *compared) ? WalkResult::advance()
                                                                       : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool RetryLoop::comparesExchange(arith::CmpIOp compare) {
  for (auto [seen, expected] : {std::pair(compare.getLhs(), compare.getRhs()),
                                std::pair(compare.getRhs(), compare.getLhs())}) {
    LLVM::AtomicCmpXchgOp exchange = exchangeOf(seen, 0);
    if (exchange && withoutCasts(exchange.getCmp()) == withoutCasts(expected) && isSeen(exchange))
      return true;
  }
  return false;
}

bool RetryLoop::holdsOnFailure(Value goesOn) {
  if (matchPattern(goesOn, m_Zero()))
    return true;
  // A condition of the previous iteration does not show that this iteration has tried.
  if (isa<BlockArgument>(goesOn))
    return false;
  if (auto compare = goesOn.getDefiningOp<arith::CmpIOp>())
    return compare.getPredicate() == arith::CmpIPredicate::ne && comparesExchange(compare);
  if (isa_and_nonnull<arith::TruncIOp, arith::ExtUIOp>(goesOn.getDefiningOp()))
    return holdsOnFailure(goesOn.getDefiningOp()->getOperand(0));
  if (auto both = goesOn.getDefiningOp<arith::AndIOp>()) {
    return holdsOnFailure(both.getLhs()) || holdsOnFailure(both.getRhs());
  }
  if (auto negation = goesOn.getDefiningOp<arith::XOrIOp>();
      negation && matchPattern(negation.getRhs(), m_One())) {
    if (LLVM::AtomicCmpXchgOp exchange = exchangeOf(negation.getLhs(), 1))
      return isSeen(exchange);
    auto compare = negation.getLhs().getDefiningOp<arith::CmpIOp>();
    return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
           comparesExchange(compare);
  }
  SmallVector<Value> sources;
  return addSources(goesOn, sources) &&
         llvm::all_of(sources, [&](Value source) { return holdsOnFailure(source); });
}

} // namespace

bool regrain::isRetryLoop(scf::WhileOp loop, Accesses &accesses) {
  return RetryLoop(loop, accesses).holdsOnFailure(loop.getConditionOp().getCondition());
}
