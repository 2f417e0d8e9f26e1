//===- Retry.cpp - Loops around a compare-and-exchange --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Retry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// Through operations that keep every bit.
Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<LLVM::BitcastOp, arith::BitcastOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::FreezeOp>(
            op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The exchange whose value seen or whose success (position 0 or 1) `value` is.
LLVM::AtomicCmpXchgOp exchangeOf(Value value, int64_t position) {
  auto extract = withoutCasts(value).getDefiningOp<LLVM::ExtractValueOp>();
  if (!extract || extract.getPosition() != ArrayRef<int64_t>{position})
    return {};
  return extract.getContainer().getDefiningOp<LLVM::AtomicCmpXchgOp>();
}

class RetryLoop {
public:
  explicit RetryLoop(scf::WhileOp loop) : loop(loop) {}

  /// Whether `goesOn` holds only where an exchange has failed.
  bool holdsOnFailure(Value goesOn);

private:
  /// Where `value` comes from one step back; false if it is made, not moved.
  bool addSources(Value value, SmallVectorImpl<Value> &sources);
  bool isSeen(LLVM::AtomicCmpXchgOp exchange);
  bool comparesExchange(arith::CmpIOp compare);

  scf::WhileOp loop;
  llvm::SetVector<Value> assumed; ///< conditions under way: carried around the loop
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

/// What the exchange compares with was read at its address inside the loop, by
/// itself or by a load; for the first iteration anything will do.
bool RetryLoop::isSeen(LLVM::AtomicCmpXchgOp exchange) {
  if (!loop->isProperAncestor(exchange))
    return false;
  llvm::SetVector<Value> visited;
  SmallVector<Value> work{exchange.getCmp()};
  while (!work.empty()) {
    Value value = withoutCasts(work.pop_back_val());
    if (!visited.insert(value) || exchangeOf(value, 0) == exchange ||
        value.getDefiningOp<LLVM::PoisonOp>())
      continue;
    auto load = value.getDefiningOp<LLVM::LoadOp>();
    if (load && load.getAddr() == exchange.getPtr() && loop->isProperAncestor(load))
      continue;
    if (!addSources(value, work))
      return false;
  }
  return true;
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
  if (matchPattern(goesOn, m_Zero()) || !assumed.insert(goesOn))
    return true;
  if (auto compare = goesOn.getDefiningOp<arith::CmpIOp>())
    return compare.getPredicate() == arith::CmpIPredicate::ne && comparesExchange(compare);
  if (isa_and_nonnull<arith::TruncIOp, arith::ExtUIOp>(goesOn.getDefiningOp()))
    return holdsOnFailure(goesOn.getDefiningOp()->getOperand(0));
  if (auto both = goesOn.getDefiningOp<arith::AndIOp>()) {
    llvm::SetVector<Value> before = assumed;
    if (holdsOnFailure(both.getLhs()))
      return true;
    assumed = std::move(before);
    return holdsOnFailure(both.getRhs());
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

bool regrain::isRetryLoop(scf::WhileOp loop) {
  return RetryLoop(loop).holdsOnFailure(loop.getConditionOp().getCondition());
}
