//===- Tickets.cpp - Loops that end by drawing tickets --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tickets.h"

#include "compiler/Analysis/Affine.h"
#include "compiler/Analysis/ExitSense.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/TicketOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

//===----------------------------------------------------------------------===//
// Giving back
//===----------------------------------------------------------------------===//

/// The greatest width of a counter whose limit is not constant, and the largest constant limit. A
/// thread that would have to draw more tickets by itself relies on other threads.
constexpr unsigned mostTicketBits = 32;
constexpr int64_t mostTickets = 1 << 20;

static bool addsConstant(LLVM::AtomicRMWOp op) {
  APInt step;
  bool adds = op.getBinOp() == LLVM::AtomicBinOp::add || op.getBinOp() == LLVM::AtomicBinOp::sub;
  return adds && matchPattern(op.getVal(), m_ConstantInt(&step)) && !step.isZero() &&
         step.abs().ult(mostTicketStep);
}

static bool addsTheSame(Operation *op, LLVM::AtomicRMWOp ticket) {
  auto other = dyn_cast<LLVM::AtomicRMWOp>(op);
  APInt step, otherStep;
  return other && other.getBinOp() == ticket.getBinOp() &&
         matchPattern(ticket.getVal(), m_ConstantInt(&step)) &&
         matchPattern(other.getVal(), m_ConstantInt(&otherStep)) &&
         step.getBitWidth() == otherStep.getBitWidth() && step == otherStep;
}

/// Returns whether the call may write memory of the program other than the thread's own. A
/// mathematical function writes only its second result.
static bool mayWrite(LLVM::CallOp call) {
  if (touchesNoMemory(call))
    return false;
  switch (kindOf(call)) {
  case CalleeKind::Math:
  case CalleeKind::Service:
  case CalleeKind::Sleep:
  case CalleeKind::Fence:
  case CalleeKind::CachedLoad:
    return false;
  default:
    return true;
  }
}

/// Returns whether plain stores of the kernel may be meant for threads elsewhere.
static bool hasFence(grain::KernelOp kernel) {
  return kernel
      .walk([](Operation *op) {
        bool isAccess =
            isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op);
        return !isAccess && interactionOf(op).publishes ? WalkResult::interrupt()
                                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether `op` may write something to the counter of `ticket` that breaks its order. A
/// thread that draws twice in an iteration of `loop` may skip a number.
static bool givesBack(Operation *op, LLVM::AtomicRMWOp ticket, Operation *loop, bool isFenced,
                      Accesses &accesses) {
  if (op == ticket || isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
    return false;
  if (addsTheSame(op, ticket))
    return loop->isAncestor(op) &&
           accesses.mayAlias(*accesses.of(ticket), *accesses.of(op), Who::Same, /*apart=*/loop);
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return mayWrite(call);
  std::optional<Access> access = accesses.of(op);
  if (!access || !access->writes || isa<LLVM::FenceOp>(op))
    return false;
  Value written = writtenBy(op);
  // An object of integer type is not accessed as a floating-point number. An ordered access may do
  // so on purpose.
  if (written && isa<FloatType>(written.getType()) && !access->isOrdered)
    return false;
  std::optional<Access> counter = accesses.of(ticket);
  if (!accesses.mayShareMemory(*access, *counter))
    return false;
  return access->isOrdered || access->base == counter->base || isFenced;
}

static bool isGivenBack(LLVM::AtomicRMWOp ticket, Operation *loop, Accesses &accesses) {
  auto kernel = ticket->getParentOfType<grain::KernelOp>();
  bool isFenced = hasFence(kernel);
  return kernel
      .walk([&](Operation *op) {
        return givesBack(op, ticket, loop, isFenced, accesses) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

namespace {

bool goesUp(LLVM::AtomicRMWOp ticket) {
  APInt step;
  matchPattern(ticket.getVal(), m_ConstantInt(&step));
  return step.isNegative() == (ticket.getBinOp() == LLVM::AtomicBinOp::sub);
}

/// The values of a slice that contain a ticket: copies of it, or the sum with an invariant.
class Carriers {
public:
  Carriers(LLVM::AtomicRMWOp ticket, LoopSlice &end, Accesses &accesses)
      : end(end), sense(end), isGoingUp(goesUp(ticket)), movesOn(isOfTheRound(ticket, accesses)),
        bits(ticket.getVal().getType().getIntOrFloatBitWidth()) {
    carried.insert({ticket.getRes(), TicketOrder::both()});
    bool isNew;
    do {
      isNew = false;
      for (Value value : end.values())
        for (Value source : sourcesOf(value))
          isNew |= carry(source, value);
    } while (isNew);
  }

  /// Returns true if the slice computes nothing from a ticket but comparisons with invariants.
  bool areOnlyCompared() {
    return llvm::all_of(end.values(),
                        [&](Value value) {
                          Operation *op = value.getDefiningOp();
                          return !op || isMoveOrComparison(op);
                        }) &&
           end.writers().empty();
  }

private:
  bool carry(Value source, Value value);
  TicketOrder orderOf(Value source, Value value);
  bool isOfTheRound(LLVM::AtomicRMWOp ticket, Accesses &accesses);
  SmallVector<Value> sourcesOf(Value value);
  SmallVector<Value> sourcesOf(BlockArgument argument);
  SmallVector<Value> sourcesOfResult(OpResult result);
  bool isMoveOrComparison(Operation *op);
  bool readsPart(LLVM::LoadOp load);
  bool settles(arith::CmpIOp compare);
  std::optional<arith::CmpIPredicate> staysWhileTwin(arith::CmpIOp compare);
  bool takesTicket(Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value value) { return carried.contains(value); });
  }

  LoopSlice &end;
  ExitSense sense;
  bool isGoingUp, movesOn;
  unsigned bits; ///< the width of a ticket
  llvm::DenseMap<Value, TicketOrder> carried;
};

/// Adds the order of `source`, an operand of `value`, to what is known of `value`; returns whether
/// that changed anything.
bool Carriers::carry(Value source, Value value) {
  auto found = carried.find(source);
  if (found == carried.end())
    return false;
  TicketOrder order = found->second & orderOf(source, value);
  auto [known, isNew] = carried.try_emplace(value, order);
  TicketOrder before = known->second;
  known->second = before & order;
  return isNew || known->second != before;
}

/// Returns whether the counter's address depends on values that the loop carries: then the thread
/// does not look at the same counter again to see what others have done to it.
bool Carriers::isOfTheRound(LLVM::AtomicRMWOp ticket, Accesses &accesses) {
  LoopSlice address(end.getLoop(), ticket.getPtr(), accesses);
  return llvm::any_of(address.values(), [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner()->getParentOp() == end.getLoop();
  });
}

/// Returns what is left of the order of `source` in `value`.
TicketOrder Carriers::orderOf(Value source, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return TicketOrder::both();
  if (isa<arith::ExtUIOp>(op))
    return carried.lookup(source).isUnsigned ? TicketOrder::both() : TicketOrder::neither();
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return carried.lookup(source).isSigned ? TicketOrder::both() : TicketOrder::neither();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::DivUIOp,
          arith::DivSIOp>(op))
    return orderBehind(op, op->getOperand(op->getOperand(0) == source ? 1 : 0));
  return TicketOrder::both();
}

SmallVector<Value> Carriers::sourcesOf(BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (argument.getOwner() == loop.getBeforeBody())
      return {loop.getInits()[index], loop.getYieldOp().getOperand(index)};
    return {loop.getConditionOp().getArgs()[index]};
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || index == 0)
    return {};
  return {loop.getInitArgs()[index - 1], loop.getBody()->getTerminator()->getOperand(index - 1)};
}

SmallVector<Value> Carriers::sourcesOfResult(OpResult result) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getArgs()[index]};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getRegionIterArgs()[index]};
  SmallVector<Value> sources;
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    for (Region &region : op->getRegions())
      if (!region.empty())
        sources.push_back(region.front().getTerminator()->getOperand(index));
  return sources;
}

/// Returns the values that `value` is moved from.
SmallVector<Value> Carriers::sourcesOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return sourcesOf(argument);
  Operation *op = value.getDefiningOp();
  if (op->getNumRegions() != 0)
    return sourcesOfResult(cast<OpResult>(value));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp, arith::BitcastOp, LLVM::FreezeOp>(op))
    return {op->getOperand(0)};
  // These operations keep the order of tickets, as far as orderBehind() says.
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::DivUIOp,
          arith::DivSIOp>(op)) {
    if (end.isInvariant(op->getOperand(1)))
      return {op->getOperand(0)};
    return isa<arith::AddIOp, arith::MulIOp>(op) && end.isInvariant(op->getOperand(0))
               ? SmallVector<Value>{op->getOperand(1)}
               : SmallVector<Value>{};
  }
  if (auto call = dyn_cast<LLVM::CallOp>(op); call && kindOf(call) == CalleeKind::Exchange)
    return llvm::to_vector(op->getOperands());
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return end.storedFor(load);
  return {};
}

/// Returns whether `load` reads a ticket as a value of another type.
bool Carriers::readsPart(LLVM::LoadOp load) {
  return llvm::any_of(end.storedFor(load), [&](Value stored) {
    return carried.contains(stored) && stored.getType() != load.getType();
  });
}

/// Returns whether a thread may draw all tickets of `bits` bits up to `limit` by itself.
bool areFew(Value limit, unsigned bits, bool isUnsigned) {
  APInt constant;
  bool isFar = matchPattern(limit, m_ConstantInt(&constant)) &&
               (isUnsigned ? constant.ugt(mostTickets)
                           : constant.sgt(mostTickets) || constant.slt(-mostTickets));
  return bits <= mostTicketBits && !isFar;
}

/// If `compare` selects between values, another comparison of the same numbers may be required for
/// the loop to go on. If one is, the selection is the same in all iterations but the last.
std::optional<arith::CmpIPredicate> Carriers::staysWhileTwin(arith::CmpIOp compare) {
  for (Value value : end.values()) {
    auto twin = value.getDefiningOp<arith::CmpIOp>();
    if (!twin || twin.getLhs() != compare.getLhs() || twin.getRhs() != compare.getRhs())
      continue;
    bool isTwin = twin.getPredicate() == compare.getPredicate() ||
                  twin.getPredicate() == arith::invertPredicate(compare.getPredicate());
    if (std::optional<arith::CmpIPredicate> stays = sense.requiredBy(twin); isTwin && stays)
      return stays;
  }
  return std::nullopt;
}

/// Returns whether the thread, by drawing tickets alone, reaches a point from which on the
/// comparison does not keep the loop going.
bool Carriers::settles(arith::CmpIOp compare) {
  std::optional<arith::CmpIPredicate> stays = sense.staysWhile(compare);
  bool isLeft = end.isInvariant(compare.getRhs());
  if (!isLeft && !end.isInvariant(compare.getLhs()))
    return false;
  if (movesOn)
    return true;
  if (!stays)
    stays = staysWhileTwin(compare);
  if (!stays)
    return false;
  Value ticket = isLeft ? compare.getLhs() : compare.getRhs();
  Value limit = isLeft ? compare.getRhs() : compare.getLhs();
  TicketOrder order = carried.lookup(ticket);
  bool isUnsigned = comparesUnsigned(*stays);
  bool isOrdered = isUnsigned ? order.isUnsigned : order.isSigned;
  if (!areFew(limit, bits, isUnsigned) || !(isOrdered || *stays == arith::CmpIPredicate::eq))
    return false;
  return isGoingUp == isLeft ? endsGoingUp(*stays) : endsGoingDown(*stays);
}

/// Returns whether `op` only moves a ticket or compares it.
bool Carriers::isMoveOrComparison(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && readsPart(load))
    return false;
  if (isa<scf::WhileOp>(op) || !takesTicket(op))
    return true;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::none_of(
        ArrayRef<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
        [&](Value value) { return carried.contains(value); });
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return settles(compare);
  return llvm::any_of(op->getResults(), [&](Value result) { return carried.contains(result); }) &&
         !isa<LLVM::LoadOp>(op);
}

} // namespace

/// Returns whether the operation runs at most once per iteration: it is in no inner loop.
static bool isDrawnOnce(LLVM::AtomicRMWOp op, const LoopSlice &end) {
  for (Operation *holder = op->getParentOp(); holder != end.getLoop();
       holder = holder->getParentOp())
    if (!holder || !isa<scf::IfOp, scf::IndexSwitchOp>(holder))
      return false;
  return true;
}

bool regrain::isTicket(LLVM::AtomicRMWOp op, LoopSlice &end, Accesses &accesses) {
  return addsConstant(op) && isDrawnOnce(op, end) && !isGivenBack(op, end.getLoop(), accesses) &&
         Carriers(op, end, accesses).areOnlyCompared();
}
