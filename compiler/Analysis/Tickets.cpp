//===- Tickets.cpp - Loops that end by drawing tickets --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tickets.h"

#include "compiler/Analysis/ExitSense.h"
#include "compiler/Analysis/Interaction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

//===----------------------------------------------------------------------===//
// Giving back
//===----------------------------------------------------------------------===//

/// A counter takes long to go round by steps that are smaller.
constexpr uint64_t mostStep = 1 << 16;

/// A thread that would have to draw more tickets, alone, counts on somebody else.
constexpr int64_t mostTickets = 1 << 20;

static bool addsConstant(LLVM::AtomicRMWOp op) {
  APInt step;
  bool adds = op.getBinOp() == LLVM::AtomicBinOp::add || op.getBinOp() == LLVM::AtomicBinOp::sub;
  return adds && matchPattern(op.getVal(), m_ConstantInt(&step)) && !step.isZero() &&
         step.abs().ult(mostStep);
}

static bool addsTheSame(Operation *op, LLVM::AtomicRMWOp ticket) {
  auto other = dyn_cast<LLVM::AtomicRMWOp>(op);
  APInt step, otherStep;
  return other && other.getBinOp() == ticket.getBinOp() &&
         matchPattern(ticket.getVal(), m_ConstantInt(&step)) &&
         matchPattern(other.getVal(), m_ConstantInt(&otherStep)) &&
         step.getBitWidth() == otherStep.getBitWidth() && step == otherStep;
}

/// Whether the call may write memory of the program that it is not the thread's
/// own to write. A mathematical function writes its second result alone.
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

/// Whether plain stores of the kernel may be meant for threads elsewhere.
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

/// Whether `op` may write to the counter of `ticket` what does not go its way. A thread
/// that draws twice in a round of `loop` may pass over a number.
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
  // An object of an integer type is not accessed as a floating-point number; what is
  // ordered may be so on purpose.
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

/// Whether numbers that go up come to an end of what `predicate` says of them and of
/// another number that stays.
bool endsGoingUp(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::slt || predicate == Predicate::sle ||
         predicate == Predicate::ult || predicate == Predicate::ule || predicate == Predicate::eq;
}

bool endsGoingDown(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::eq || (predicate != Predicate::ne && !endsGoingUp(predicate));
}

bool goesUp(LLVM::AtomicRMWOp ticket) {
  APInt step;
  matchPattern(ticket.getVal(), m_ConstantInt(&step));
  return step.isNegative() == (ticket.getBinOp() == LLVM::AtomicBinOp::sub);
}

/// Whether `value` is a number as programs add to tickets, or multiply them with, and
/// tickets stay in order: not negative, and far from where numbers go round. Places and
/// sizes of threads and blocks, and what is computed of them.
bool isSmall(Value value, unsigned depth = 0) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return !constant.isNegative() && constant.ule(mostStep);
  Operation *op = value.getDefiningOp();
  Operation *giver = op ? op : value.getParentBlock()->getParentOp();
  if (isa<grain::GrainDialect>(giver->getDialect()) && !isa<grain::KernelOp>(giver))
    return true;
  auto isSmallToo = [&](Value operand) { return isSmall(operand, depth + 1); };
  if (!op || depth > 8)
    return false;
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return kindOf(call) == CalleeKind::Register;
  if (isa<arith::AndIOp>(op))
    return llvm::any_of(op->getOperands(), isSmallToo);
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return isSmallToo(op->getOperand(0)) && isSmallToo(op->getOperand(1));
  if (isa<arith::RemUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
          arith::IndexCastUIOp, arith::AddIOp, arith::MulIOp>(op))
    return llvm::all_of(op->getOperands(), isSmallToo);
  return false;
}

/// As what numbers a value goes up or down in the order of tickets.
struct Order {
  bool isSigned, isUnsigned;

  static constexpr Order both() { return {true, true}; }
  bool operator==(const Order &) const = default;
};

Order operator&(Order one, Order other) {
  return {one.isSigned && other.isSigned, one.isUnsigned && other.isUnsigned};
}

/// What is left of the order where `op` computes with a ticket and with `other`.
Order orderBehind(Operation *op, Value other) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  Order flagged = {flags && flags.hasNoSignedWrap(), flags && flags.hasNoUnsignedWrap()};
  bool isFlagged = flagged.isSigned || flagged.isUnsigned;
  if (isa<arith::AddIOp>(op))
    return isSmall(other) ? Order::both() : flagged;
  if (isa<arith::SubIOp>(op))
    return {flagged.isSigned || isSmall(other), flagged.isUnsigned};
  if (isa<arith::MulIOp, arith::ShLIOp>(op))
    return isFlagged && isSmall(other) ? Order::both() : Order{false, false};
  return isSmall(other) ? Order::both() : Order{false, false};
}

/// The values of a slice that hold a ticket: moved, or with an invariant added.
class Carriers {
public:
  Carriers(LLVM::AtomicRMWOp ticket, LoopSlice &end)
      : end(end), sense(end), isGoingUp(goesUp(ticket)),
        bits(ticket.getVal().getType().getIntOrFloatBitWidth()) {
    carried.insert({ticket.getRes(), Order::both()});
    bool isNew;
    do {
      isNew = false;
      for (Value value : end.values())
        for (Value source : sourcesOf(value))
          isNew |= carry(source, value);
    } while (isNew);
  }

  /// Nothing in the slice is computed from a ticket but comparisons with invariants.
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
  Order orderOf(Value source, Value value);
  SmallVector<Value> sourcesOf(Value value);
  SmallVector<Value> sourcesOf(BlockArgument argument);
  SmallVector<Value> sourcesOfResult(OpResult result);
  bool isMoveOrComparison(Operation *op);
  bool readsPart(LLVM::LoadOp load);
  bool settles(arith::CmpIOp compare);
  bool takesTicket(Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value value) { return carried.contains(value); });
  }

  LoopSlice &end;
  ExitSense sense;
  bool isGoingUp;
  unsigned bits; ///< of a ticket
  llvm::DenseMap<Value, Order> carried;
};

/// Adds to what is known of `value`, which `source` goes into; whether there was anything.
bool Carriers::carry(Value source, Value value) {
  auto found = carried.find(source);
  if (found == carried.end())
    return false;
  Order order = found->second & orderOf(source, value);
  auto [known, isNew] = carried.try_emplace(value, order);
  Order before = known->second;
  known->second = before & order;
  return isNew || known->second != before;
}

/// What is left of the order of `source` in `value`.
Order Carriers::orderOf(Value source, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return Order::both();
  if (isa<arith::ExtUIOp>(op))
    return carried.lookup(source).isUnsigned ? Order::both() : Order{false, false};
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return carried.lookup(source).isSigned ? Order::both() : Order{false, false};
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::DivUIOp,
          arith::DivSIOp>(op))
    return orderBehind(op, op->getOperand(op->getOperand(0) == source ? 1 : 0));
  return Order::both();
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

/// What `value` is moved from.
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
  // These keep the order of tickets, as far as orderBehind() tells.
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

/// Whether `load` reads a ticket as something else.
bool Carriers::readsPart(LLVM::LoadOp load) {
  return llvm::any_of(end.storedFor(load), [&](Value stored) {
    return carried.contains(stored) && stored.getType() != load.getType();
  });
}

/// Whether a thread may draw tickets of `bits` up to `limit` by itself.
bool areFew(Value limit, unsigned bits) {
  APInt constant;
  if (matchPattern(limit, m_ConstantInt(&constant)))
    return constant.sle(mostTickets) && constant.sge(-mostTickets);
  Operation *op = limit.getDefiningOp();
  bool isExtended =
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op);
  Type type = isExtended ? op->getOperand(0).getType() : limit.getType();
  return bits <= 32 || (type.isInteger() && type.getIntOrFloatBitWidth() <= 32);
}

bool isUnsigned(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::ult || predicate == Predicate::ule ||
         predicate == Predicate::ugt || predicate == Predicate::uge;
}

/// Whether the thread alone, by drawing on, comes to where the comparison does not keep the
/// loop going any more.
bool Carriers::settles(arith::CmpIOp compare) {
  std::optional<arith::CmpIPredicate> stays = sense.staysWhile(compare);
  bool isLeft = end.isInvariant(compare.getRhs());
  if (!stays || (!isLeft && !end.isInvariant(compare.getLhs())))
    return false;
  Value ticket = isLeft ? compare.getLhs() : compare.getRhs();
  Value limit = isLeft ? compare.getRhs() : compare.getLhs();
  Order order = carried.lookup(ticket);
  bool isOrdered = isUnsigned(*stays) ? order.isUnsigned : order.isSigned;
  if (!areFew(limit, bits) || !(isOrdered || *stays == arith::CmpIPredicate::eq))
    return false;
  return isGoingUp == isLeft ? endsGoingUp(*stays) : endsGoingDown(*stays);
}

/// Whether `op` takes a ticket only to hand it on, or to compare it.
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

/// Once in each round: in no loop inside.
static bool isDrawnOnce(LLVM::AtomicRMWOp op, const LoopSlice &end) {
  for (Operation *holder = op->getParentOp(); holder != end.getLoop();
       holder = holder->getParentOp())
    if (!holder || !isa<scf::IfOp, scf::IndexSwitchOp>(holder))
      return false;
  return true;
}

bool regrain::isTicket(LLVM::AtomicRMWOp op, LoopSlice &end, Accesses &accesses) {
  return addsConstant(op) && isDrawnOnce(op, end) && !isGivenBack(op, end.getLoop(), accesses) &&
         Carriers(op, end).areOnlyCompared();
}
