//===- JoinLanes.cpp - Warp operations of joined lanes --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/UnrollAndInterleave/JoinLanes.h"

#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/WarpMeetings.h"
#include "compiler/DeviceIR/LaneAssemblyNames.h"
#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/UnrollAndInterleave/LaneShuffles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace regrain;

/// If lanes choose their source for themselves, each of F copies moves F values.
static constexpr uint32_t mostChoosing = 4;

namespace {

enum class Vote { None, Any, All, Ballot };

} // namespace

static Vote voteOf(Operation *op) {
  if (isa<NVVM::VoteBallotOp>(op))
    return Vote::Ballot;
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call || kindOf(call) != CalleeKind::Vote || call->getNumOperands() != 2)
    return Vote::None;
  return llvm::StringSwitch<Vote>(call.getCallee().value_or(""))
      .StartsWith("nvvm.vote.any.sync", Vote::Any)
      .StartsWith("nvvm.vote.all.sync", Vote::All)
      .StartsWith("nvvm.vote.ballot.sync", Vote::Ballot)
      .Default(Vote::None);
}

/// Returns the mask of an operation that joined lanes can run; null for others.
static Value maskOf(Operation *op) {
  if (std::optional<LaneShuffle> shuffle = LaneShuffle::of(op))
    return shuffle->mask;
  return isWarpBarrier(op) || voteOf(op) != Vote::None ? op->getOperand(0) : Value();
}

/// Returns the operations around `op` that decide whether the thread runs it.
static SmallVector<Operation *> controlAround(Operation *op) {
  SmallVector<Operation *> around;
  for (op = op->getParentOp(); !isa<grain::ThreadsOp>(op); op = op->getParentOp())
    around.push_back(op);
  return around;
}

void regrain::replaceLaneNumbers(grain::ThreadsOp threads) {
  SmallVector<Operation *> numbers;
  threads->walk([&](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    bool isAssembly = call && kindOf(call) == CalleeKind::Assembly &&
                      call.getCallee().value_or("").starts_with(laneNumberAssembly);
    if (isa<NVVM::LaneIdOp>(op) || isAssembly)
      numbers.push_back(op);
  });
  for (Operation *number : numbers) {
    OpBuilder builder(number);
    Value lanes = constant(builder, number->getLoc(), warpThreads - 1);
    Value lane =
        builder.create<arith::AndIOp>(number->getLoc(), threads.getBody().getArgument(0), lanes);
    number->getResult(0).replaceAllUsesWith(lane);
    number->erase();
  }
}

JoinedLanes::JoinedLanes(grain::ThreadsOp threads, uint32_t factor, const Uniformity &uniformity)
    : threads(threads), factor(factor), uniformity(uniformity),
      warp(threads, {0, warpThreads, /*stride=*/1, /*span=*/warpThreads}, uniformity) {}

bool JoinedLanes::isOfWarp(Operation *op) {
  return op->getNumRegions() == 0 && interactionOf(op).convergence != Convergence::None;
}

bool JoinedLanes::isSame(Value value) const {
  return !overlap(uniformity.of(value), Dependence::Threads) || warp.areEqual(value);
}

/// Threads of a block may also load different values at one address.
bool JoinedLanes::isOfWholeBlock(Operation *op) const {
  return llvm::none_of(controlAround(op), [&](Operation *control) {
    return overlap(uniformity.ofControl(control), Dependence::Threads | Dependence::ThreadMemory);
  });
}

std::optional<Refusal> JoinedLanes::check() const {
  std::optional<Refusal> refusal;
  grain::ThreadsOp(threads)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isOfWarp(op))
      refusal = check(op);
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

std::optional<Refusal> JoinedLanes::check(Operation *op) const {
  Value mask = maskOf(op);
  if (!mask)
    return refuse(op, RefusalKind::WarpOperation,
                  "a warp operation needs the lanes of a warp to be neighbouring threads");
  APInt number;
  if (!matchPattern(mask, m_ConstantInt(&number)) || !number.isAllOnes())
    return refuse(op, RefusalKind::WarpOperation,
                  "a warp operation may leave out lanes, which joined threads cannot");
  for (Operation *control : controlAround(op))
    if (overlap(uniformity.ofControl(control), Dependence::Threads) &&
        !warp.haveOneControl(control))
      return refuse(op, RefusalKind::WarpOperation,
                    "lanes of a warp may not all run a warp operation");
  std::optional<LaneShuffle> shuffle = LaneShuffle::of(op);
  if (shuffle && factor > mostChoosing && !(isSame(shuffle->where) && isSame(shuffle->clamp)))
    return refuse(op, RefusalKind::WarpOperation,
                  "the lanes of a shuffle choose whose value they get, and more than " +
                      llvm::Twine(mostChoosing) + " of them are joined");
  return std::nullopt;
}

void JoinedLanes::describeLane(OpBuilder &builder, Value x) {
  Location location = x.getLoc();
  uint32_t perWarp = warpThreads / factor;
  auto bitsOf = [&](uint32_t bits) -> Value {
    return builder.create<arith::AndIOp>(location, x, constant(builder, location, bits));
  };
  place = bitsOf(perWarp - 1);
  start = bitsOf(warpThreads - perWarp);
  Value lanes = constant(builder, location, (1u << perWarp) - 1);
  group = builder.create<arith::ShLIOp>(location, lanes, start);
}

Value JoinedLanes::createMask(Operation *op, OpBuilder &builder) const {
  return isOfWholeBlock(op) ? constant(builder, op->getLoc(), ~0u) : group;
}

void JoinedLanes::join(Operation *op, OpBuilder &builder, Mappings mappings) const {
  auto mapAll = [&](Value result) {
    for (IRMapping &mapping : mappings)
      mapping.map(op->getResult(0), result);
  };
  if (isWarpBarrier(op)) {
    Value mask = createMask(op, builder);
    builder.clone(*op, mappings[0])->setOperand(0, mask);
    return;
  }
  if (Vote vote = voteOf(op); vote == Vote::Ballot)
    return mapAll(joinBallots(op, builder, mappings));
  else if (vote != Vote::None)
    return mapAll(joinVotes(op, builder, mappings));
  LaneShuffle shuffle = *LaneShuffle::of(op);
  bool isUniform = isSame(shuffle.where) && isSame(shuffle.clamp);
  auto ofCopies = [&](Value value) {
    return llvm::map_to_vector(
        mappings, [&](IRMapping &mapping) -> Value { return mapping.lookupOrDefault(value); });
  };
  SmallVector<Value> values = ofCopies(shuffle.value), wheres = ofCopies(shuffle.where),
                     clamps = ofCopies(shuffle.clamp);
  shuffle.where = wheres.front();
  shuffle.clamp = clamps.front();
  LaunchedLanes lanes = {factor, place, createMask(op, builder)};
  SmallVector<Value> results =
      isUniform ? createUniformShuffles(builder, op->getLoc(), lanes, shuffle, values)
                : createFreeShuffles(builder, op->getLoc(), lanes, shuffle, values, wheres, clamps);
  for (auto [mapping, result] : llvm::zip_equal(mappings, results))
    mapping.map(op->getResult(0), result);
}

/// Creates the launched lanes, as bits, in which `predicate` holds.
Value JoinedLanes::createVote(Operation *op, OpBuilder &builder, Value predicate) const {
  Value mask = createMask(op, builder);
  return builder.create<NVVM::VoteBallotOp>(op->getLoc(), builder.getI32Type(), mask, predicate);
}

Value JoinedLanes::joinVotes(Operation *op, OpBuilder &builder, Mappings mappings) const {
  Location location = op->getLoc();
  bool isAll = voteOf(op) == Vote::All;
  Value joined;
  for (IRMapping &mapping : mappings) {
    Value holds = mapping.lookupOrDefault(op->getOperand(1));
    if (!joined)
      joined = holds;
    else if (isAll)
      joined = builder.create<arith::AndIOp>(location, joined, holds);
    else
      joined = builder.create<arith::OrIOp>(location, joined, holds);
  }
  Value lanes = builder.create<arith::AndIOp>(location, createVote(op, builder, joined), group);
  return isAll ? builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::eq, lanes, group)
               : builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ne, lanes,
                                               constant(builder, location, 0));
}

/// Creates `bits`, of which the lowest `count` may be set, with bit i at i * `distance`.
static Value spreadBits(OpBuilder &builder, Location location, Value bits, uint32_t count,
                        uint32_t distance) {
  for (uint32_t half = count / 2; half != 0; half /= 2) {
    uint32_t kept = 0;
    for (uint32_t first = 0; first < count * distance; first += half * distance)
      kept |= ((1u << half) - 1) << first;
    Value shifted = builder.create<arith::ShLIOp>(
        location, bits, constant(builder, location, half * (distance - 1)));
    bits = builder.create<arith::OrIOp>(location, bits, shifted);
    bits = builder.create<arith::AndIOp>(location, bits, constant(builder, location, kept));
  }
  return bits;
}

Value JoinedLanes::joinBallots(Operation *op, OpBuilder &builder, Mappings mappings) const {
  Location location = op->getLoc();
  uint32_t perWarp = warpThreads / factor;
  Value all;
  for (auto [copy, mapping] : llvm::enumerate(mappings)) {
    Value lanes = createVote(op, builder, mapping.lookupOrDefault(op->getOperand(1)));
    lanes = builder.create<arith::ShRUIOp>(location, lanes, start);
    lanes = builder.create<arith::AndIOp>(location, lanes,
                                          constant(builder, location, (1u << perWarp) - 1));
    lanes = spreadBits(builder, location, lanes, perWarp, factor);
    lanes = builder.create<arith::ShLIOp>(location, lanes, constant(builder, location, copy));
    all = all ? builder.create<arith::OrIOp>(location, all, lanes).getResult() : lanes;
  }
  return all;
}
