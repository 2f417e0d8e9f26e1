//===- DealStrides.cpp - Neighbours for each thread of a block ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/DealStrides/DealStrides.h"

#include "compiler/Analysis/AtomicOrder.h"
#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/DealIterations/LoopChecks.h"
#include "compiler/Transforms/DealStrides/StrideLoop.h"
#include "compiler/Transforms/LoopHints.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

namespace {

using Refused = std::optional<Refusal>;
constexpr auto noWrap = arith::IntegerOverflowFlags::nsw;

/// One loop of 64 bits, whose counter is the element.
class StrideDealing : LoopChecks {
public:
  StrideDealing(const StrideLoop &found, const RaisedLoop &raised, uint32_t width, bool reassociate,
                DealingFacts &facts)
      : LoopChecks(raised.loop, facts), found(found), raised(raised), width(width),
        reassociate(reassociate) {
    known.insert(counter);
  }

  /// Refuses a loop that must stay as it is.
  Refused plan();
  /// Creates the new loops in the place of that of 64 bits. `sums` are those of `found`.
  void apply(const WrappingSums &sums);

private:
  bool addElement(Value) override { return false; }
  bool differIn(const WrappingSum &perTrip, unsigned bits) const override {
    return bits >= found.counter.getType().getIntOrFloatBitWidth() &&
           perTrip.equals(WrappingSum::of(1), bits);
  }
  bool permits(Operation *op) const override {
    auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op);
    return atomic && !atomic.getVolatile_() && atomic.getRes().use_empty() &&
           isUnordered(atomic.getBinOp(), reassociate);
  }
  bool commute(Operation *one, Operation *other) const override {
    auto first = dyn_cast<LLVM::AtomicRMWOp>(one), second = dyn_cast<LLVM::AtomicRMWOp>(other);
    return first && second && first.getBinOp() == second.getBinOp() &&
           first.getVal().getType() == second.getVal().getType();
  }
  bool isNeighbour(const Access &access) const {
    return access.size && access.offset &&
           access.offset->factorOf({counter, false}) == *access.size;
  }
  Refused checkGain();
  void createBody(OpBuilder &builder, Value number, unsigned count);
  void createRest(OpBuilder &builder, Value first);

  const StrideLoop &found;
  const RaisedLoop &raised;
  uint32_t width;
  bool reassociate;
};

Refused StrideDealing::checkGain() {
  bool isWider = false, isAtomic = false, stores = false;
  for (const Access &access : inside) {
    bool updates = isa<LLVM::AtomicRMWOp>(access.op);
    bool isShared = access.kind == Base::Shared || access.kind == Base::DynamicShared;
    if (updates && isNeighbour(access))
      return refuseDealing(access.op, "neighbouring iterations update neighbouring elements, which "
                                      "a warp does together");
    isWider |= !updates && !isShared && isNeighbour(access) && *access.size < widestAccess;
    isAtomic |= updates;
    stores |= access.writes && !updates;
  }
  if (isAtomic && stores)
    return refuseDealing(loop, "the loop stores to memory and also updates memory by atomic "
                               "operations, which may announce what it has stored");
  if (!isWider)
    return refuseDealing(loop, "no access of the loop to neighbouring elements of global memory "
                               "becomes wider");
  return std::nullopt;
}

Refused StrideDealing::plan() {
  if (auto refusal = checkSurroundings())
    return refusal;
  if (auto refusal = checkBody())
    return refusal;
  if (auto refusal = checkGain())
    return refusal;
  return checkMemory();
}

/// Creates `count` neighbouring iterations from `number` on, side by side.
void StrideDealing::createBody(OpBuilder &builder, Value number, unsigned count) {
  SmallVector<IRMapping> mappings(count);
  for (auto [distance, mapping] : llvm::enumerate(mappings)) {
    Value own = number;
    if (distance != 0) {
      Value more = builder.create<arith::ConstantOp>(loop.getLoc(),
                                                     builder.getI64IntegerAttr(int64_t(distance)));
      own = builder.create<arith::AddIOp>(loop.getLoc(), number, more, noWrap);
    }
    mapping.map(counter, own);
  }
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<grain::LoopHintOp>(op))
      for (IRMapping &mapping : mappings)
        builder.clone(op, mapping);
}

/// Creates the loop over the single elements behind the last whole group, from `first` on.
void StrideDealing::createRest(OpBuilder &builder, Value first) {
  Location location = loop.getLoc();
  auto wide = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(value));
  };
  Value behind = builder.create<arith::AddIOp>(location, first, wide(width), noWrap);
  Value isLess = builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::slt, behind,
                                               loop.getUpperBound());
  Value end = builder.create<arith::SelectOp>(location, isLess, behind, loop.getUpperBound());
  auto single = builder.create<scf::ForOp>(location, first, end, wide(1));
  OpBuilder alone(single.getBody()->getTerminator());
  createBody(alone, single.getInductionVar(), 1);
  keepRolled(single);
}

void StrideDealing::apply(const WrappingSums &sums) {
  OpBuilder builder(loop);
  Location location = loop.getLoc();
  auto narrow = [&](uint32_t value) -> Value {
    return builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(int32_t(value)));
  };
  auto wide = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(location, builder.getI64IntegerAttr(value));
  };
  auto add = [&](OpBuilder &where, Value one, Value other) -> Value {
    return where.create<arith::AddIOp>(location, one, other, noWrap);
  };
  auto times = [&](Value one, Value other) -> Value {
    return builder.create<arith::MulIOp>(location, one, other, noWrap);
  };
  auto extend = [&](Value value) -> Value {
    return builder.create<arith::ExtUIOp>(location, builder.getI64Type(), value);
  };
  Value own = threads.getBody().getArgument(0);
  Value group = builder.create<arith::DivUIOp>(location, raised.size, narrow(width));
  // The width as a multiple shows that the first elements are multiples, if the range begins so.
  Value size = builder.create<arith::MulIOp>(location, group, narrow(width));
  Value place = extend(builder.create<arith::RemUIOp>(location, own, group));
  Value round = extend(builder.create<arith::DivUIOp>(location, own, group));
  Value step = found.step.create(builder, location, sums, size);
  Value first = add(builder, found.first.create(builder, location, sums, size),
                    add(builder, times(place, wide(width)), times(round, step)));
  Value stride = times(step, wide(width));
  Value last = add(builder, loop.getUpperBound(), wide(1 - int64_t(width)));
  auto main = builder.create<scf::ForOp>(location, first, last, stride, first);
  OpBuilder inside = OpBuilder::atBlockBegin(main.getBody());
  createBody(inside, main.getInductionVar(), width);
  inside.create<scf::YieldOp>(location, add(inside, main.getInductionVar(), stride));

  createRest(builder, main.getResult(0));
  loop.erase();
}

/// Deals the loops of a nest.
class Nest {
public:
  Nest(grain::BlocksOp blocks, uint32_t width, bool reassociate)
      : blocks(blocks), kernel(blocks->getParentOfType<grain::KernelOp>()), width(width),
        reassociate(reassociate), before(kernel) {}

  Refused run();

private:
  void raise();

  grain::BlocksOp blocks;
  grain::KernelOp kernel;
  uint32_t width;
  bool reassociate;
  DealingFacts before;
  std::vector<StrideLoop> found;
  std::vector<RaisedLoop> raised;
};

void Nest::raise() {
  blocks.threads().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForOp, scf::WhileOp>(op))
      return;
    if (std::optional<StrideLoop> loop = findStrideLoop(op, before))
      found.push_back(*loop);
  });
  // Inner loops stay in their outer ones, which keep them from being dealt.
  llvm::erase_if(found, [](const StrideLoop &loop) {
    return loop.loop->getParentOfType<scf::ForOp>() || loop.loop->getParentOfType<scf::WhileOp>();
  });
  for (const StrideLoop &loop : found)
    raised.push_back(raiseLoop(loop, width, before.sums));
}

Refused Nest::run() {
  std::optional<int32_t> size = blocks.threads().getKnownIterations(0);
  if (size && *size % width != 0)
    return refuseDealing(blocks, "threads that take " + Twine(width) +
                                     " neighbours do not divide a block that is " + Twine(*size) +
                                     " threads wide");
  raise();
  DealingFacts facts(kernel);
  Refused refusal;
  std::vector<std::optional<StrideDealing>> dealt;
  for (auto [loop, as] : llvm::zip_equal(found, raised)) {
    dealt.emplace_back(std::in_place, loop, as, width, reassociate, facts);
    auto why = dealt.back()->plan();
    if (!why)
      continue;
    refusal = refusal ? refusal : why;
    dealt.back().reset();
  }
  for (auto [loop, as, dealing] : llvm::zip_equal(found, raised, dealt))
    dealing ? dealing->apply(before.sums) : lowerLoop(loop, as);
  if (llvm::any_of(dealt, [](const auto &dealing) { return dealing.has_value(); }))
    return std::nullopt;
  return refusal
             ? refusal
             : refuseDealing(blocks, "the kernel has no loop in which neighbouring threads take "
                                     "neighbouring elements, and all threads of a block go on "
                                     "by the same distance to the same end");
}

} // namespace

Refused regrain::dealStrides(grain::KernelOp kernel, uint32_t width, bool reassociate) {
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks)
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several nests");
  if (isRegrouped(blocks))
    return refuse(kernel, RefusalKind::AlreadyRegrained,
                  "blocks or threads have been regrouped before the iterations");
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  auto refusal =
      tryOn(blocks, [&](grain::BlocksOp &clone) { return Nest(clone, width, reassociate).run(); });
  if (!refusal)
    forgetRestrict(blocks);
  return refusal;
}
