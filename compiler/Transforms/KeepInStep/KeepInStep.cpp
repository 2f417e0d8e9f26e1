//===- KeepInStep.cpp - Launched blocks that wait for each other ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepInStep/KeepInStep.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Dialect/Grain/LentMemory.h"
#include "compiler/Refusal/Refuse.h"
#include "compiler/Transforms/StageSteps/StageSteps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace regrain;

using Predicate = arith::CmpIPredicate;

/// How often a block reads the word in vain: about a millisecond on a GPU.
static constexpr int64_t mostReads = 1024;

/// The bytes of the word.
static constexpr unsigned wordBytes = 4;

namespace {

/// Lets blocks wait in one loop.
class StepKeeper {
public:
  StepKeeper(grain::BlocksOp blocks, scf::ForOp loop, grain::BarrierOp barrier, uint32_t ahead)
      : blocks(blocks), loop(loop), barrier(barrier), ahead(ahead), builder(loop),
        location(loop.getLoc()) {}

  void run();

private:
  Value constant(int64_t value) {
    return builder.create<arith::ConstantIntOp>(location, value, 32);
  }
  Value never() { return builder.create<arith::ConstantIntOp>(location, 0, 1); }
  Value compare(Predicate predicate, Value left, Value right) {
    return builder.create<arith::CmpIOp>(location, predicate, left, right);
  }
  template <typename Op> Value create(Value left, Value right) {
    return builder.create<Op>(location, left, right);
  }
  template <typename Op> Value read() { return builder.create<Op>(location, builder.getI32Type()); }
  void createNumbers();
  Value readUntil(Value target);
  Value waitFor(Value begun, Value isHopeless);
  Value count();
  void clear(Value before);

  grain::BlocksOp blocks;
  scf::ForOp loop;
  grain::BarrierOp barrier; ///< behind which a step begins
  uint32_t ahead;
  OpBuilder builder;
  Location location;
  Value word;
  Value isFirst;    ///< whether this is the first thread of the block
  Value first;      ///< steps of the launch that must have begun before the block's first one
  Value blockCount; ///< of launched blocks
};

} // namespace

/// Creates what is the same in all steps.
void StepKeeper::createNumbers() {
  {
    OpBuilder outside = OpBuilder::atBlockBegin(&blocks.getBody().front());
    auto lent = outside.create<grain::LentOp>(
        location, LLVM::LLVMPointerType::get(outside.getContext(), globalSpace), "begun",
        outside.getI32Type(), wordBytes);
    lent->setAttr(grain::ofLaunchAttribute, outside.getUnitAttr());
    word = lent;
  }
  Value thread = create<arith::OrIOp>(
      create<arith::OrIOp>(read<NVVM::ThreadIdXOp>(), read<NVVM::ThreadIdYOp>()),
      read<NVVM::ThreadIdZOp>());
  isFirst = compare(Predicate::eq, thread, constant(0));
  Value sizeX = read<NVVM::GridDimXOp>(), sizeY = read<NVVM::GridDimYOp>();
  Value block = create<arith::MulIOp>(read<NVVM::BlockIdZOp>(), sizeY);
  block = create<arith::AddIOp>(block, read<NVVM::BlockIdYOp>());
  block = create<arith::MulIOp>(block, sizeX);
  block = create<arith::AddIOp>(block, read<NVVM::BlockIdXOp>());
  first = create<arith::SubIOp>(block, constant(ahead));
  blockCount = create<arith::MulIOp>(create<arith::MulIOp>(sizeX, sizeY), read<NVVM::GridDimZOp>());
}

/// Creates the loop that reads the word until so many steps have begun. Returns whether it has read
/// in vain.
Value StepKeeper::readUntil(Value target) {
  SmallVector<Type> types = {builder.getI32Type(), builder.getI1Type()};
  auto reads = builder.create<scf::WhileOp>(
      location, types, ValueRange{constant(1)},
      [&](OpBuilder &inner, Location, ValueRange number) {
        OpBuilder::InsertionGuard outside(builder);
        builder.restoreInsertionPoint(inner.saveInsertionPoint());
        Value begun = builder.create<LLVM::LoadOp>(
            location, builder.getI32Type(), word, wordBytes, /*isVolatile=*/false,
            /*isNonTemporal=*/false, /*isInvariant=*/false, LLVM::AtomicOrdering::monotonic);
        Value isEarly = compare(Predicate::slt, begun, target);
        Value mayRead = compare(Predicate::ult, number.front(), constant(mostReads));
        builder.create<scf::ConditionOp>(location, create<arith::AndIOp>(isEarly, mayRead),
                                         ValueRange{number.front(), isEarly});
      },
      [&](OpBuilder &inner, Location, ValueRange values) {
        OpBuilder::InsertionGuard outside(builder);
        builder.restoreInsertionPoint(inner.saveInsertionPoint());
        builder.create<scf::YieldOp>(location, create<arith::AddIOp>(values.front(), constant(1)));
      });
  return reads.getResult(1);
}

/// Creates the wait in front of a step. `begun` is the word when the block began the step before.
/// Returns whether the block waits no more.
Value StepKeeper::waitFor(Value begun, Value isHopeless) {
  Value target =
      create<arith::AddIOp>(create<arith::MulIOp>(loop.getInductionVar(), blockCount), first);
  Value isEarly = compare(Predicate::slt, begun, target);
  Value waits = builder.create<arith::SelectOp>(location, isHopeless, never(), isEarly);
  auto branch = builder.create<scf::IfOp>(location, TypeRange{builder.getI1Type()},
                                          create<arith::AndIOp>(isFirst, waits), true);
  builder.setInsertionPointToStart(branch.thenBlock());
  builder.create<scf::YieldOp>(location, readUntil(target));
  builder.setInsertionPointToStart(branch.elseBlock());
  builder.create<scf::YieldOp>(location, isHopeless);
  builder.setInsertionPointAfter(branch);
  return branch.getResult(0);
}

/// Creates the count of a step. Returns the word in front of it, of which nothing is computed in
/// the step: the thread would wait for it there.
Value StepKeeper::count() {
  auto branch = builder.create<scf::IfOp>(location, TypeRange{builder.getI32Type()}, isFirst, true);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value before = builder.create<LLVM::AtomicRMWOp>(location, LLVM::AtomicBinOp::add, word,
                                                   constant(1), LLVM::AtomicOrdering::monotonic);
  builder.create<scf::YieldOp>(location, before);
  builder.setInsertionPointToStart(branch.elseBlock());
  builder.create<scf::YieldOp>(location, constant(0));
  builder.setInsertionPointAfter(branch);
  return branch.getResult(0);
}

/// Creates what gives the word its first value again, if the block's last step was that of the
/// launch.
void StepKeeper::clear(Value before) {
  Value all = create<arith::MulIOp>(blockCount, loop.getUpperBound());
  Value isLast = compare(Predicate::eq, create<arith::AddIOp>(before, constant(1)), all);
  auto branch = builder.create<scf::IfOp>(location, create<arith::AndIOp>(isFirst, isLast),
                                          /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  builder.create<LLVM::StoreOp>(location, constant(0), word, wordBytes, /*isVolatile=*/false,
                                /*isNonTemporal=*/false, LLVM::AtomicOrdering::monotonic);
}

void StepKeeper::run() {
  createNumbers();
  IRRewriter rewriter(builder.getContext());
  rewriter.setInsertionPoint(loop);
  loop->removeAttr(ringsAttribute);
  DictionaryAttr attributes = loop->getDiscardableAttrDictionary();
  Value none = constant(0);
  auto keep = [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
    builder.setInsertionPoint(barrier);
    Value isHopeless = waitFor(carried[0], carried[1]);
    builder.setInsertionPointAfter(barrier);
    return SmallVector<Value>{count(), isHopeless};
  };
  unsigned own = loop.getNumResults();
  LoopLikeOpInterface carrying = *loop.replaceWithAdditionalYields(
      rewriter, {none, never()}, /*replaceInitOperandUsesInLoop=*/false, keep);
  carrying->setDiscardableAttrs(attributes);
  loop = cast<scf::ForOp>(carrying.getOperation());
  builder.setInsertionPointAfter(loop);
  clear(loop.getResult(own));
}

std::optional<Refusal> regrain::keepInStep(grain::KernelOp kernel, uint32_t ahead) {
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks)
    return refuse(kernel, RefusalKind::AlreadyExpanded, "the kernel has several grains");
  if (!blocks.getBody().getOps<grain::LentOp>().empty())
    return refuse(kernel, RefusalKind::NothingStaged,
                  "the kernel's blocks have global memory of their own already");
  SmallVector<scf::ForOp> marches;
  for (scf::ForOp loop : blocks.threads().getBody().getOps<scf::ForOp>())
    if (loop->hasAttr(ringsAttribute))
      marches.push_back(loop);
  if (marches.size() != 1)
    return refuse(kernel, RefusalKind::NothingStaged,
                  "there is not exactly one march whose planes lie in rings");
  auto barriers = marches.front().getBody()->getOps<grain::BarrierOp>();
  if (barriers.empty())
    return refuse(marches.front(), RefusalKind::NothingStaged,
                  "threads of a block do not meet in each step");
  StepKeeper(blocks, marches.front(), *barriers.begin(), ahead).run();
  return std::nullopt;
}
