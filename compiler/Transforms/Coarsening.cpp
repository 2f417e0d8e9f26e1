//===- Coarsening.cpp - What coarsening either nest needs -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/Coarsening.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Analysis/WarpMeetings.h"
#include "compiler/Dialect/Grain/DynamicShared.h"
#include "compiler/Dialect/Grain/ThreadSplit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace regrain;

std::array<int32_t, 3> regrain::multiply(ArrayRef<int32_t> old, const Factors &factors) {
  std::array<int32_t, 3> product;
  for (unsigned d = 0; d < 3; ++d)
    product[d] = old[d] * factors[d];
  return product;
}

SmallVector<Factors> regrain::iterationsOf(const Factors &factors) {
  SmallVector<Factors> iterations;
  for (uint32_t z = 0; z < factors[2]; ++z)
    for (uint32_t y = 0; y < factors[1]; ++y)
      for (uint32_t x = 0; x < factors[0]; ++x)
        iterations.push_back({x, y, z});
  return iterations;
}

Dependence regrain::varyingIn(const Factors &factors, Dependence first) {
  uint8_t result = 0;
  for (unsigned d = 0; d < 3; ++d)
    if (factors[d] != 1)
      result |= uint8_t(first) << d;
  return Dependence(result);
}

Value regrain::constant(OpBuilder &builder, Location location, uint32_t value) {
  return builder.create<arith::ConstantOp>(location, builder.getI32IntegerAttr(value));
}

Value regrain::offsetBy(OpBuilder &builder, Location location, Value value, uint32_t count,
                        Value step) {
  if (count == 0)
    return value;
  auto noWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Value offset =
      builder.create<arith::MulIOp>(location, step, constant(builder, location, count), noWrap);
  return builder.create<arith::AddIOp>(location, value, offset, noWrap);
}

Value regrain::createBlockCount(OpBuilder &builder, Location location, grain::ThreadsOp threads,
                                unsigned dimension) {
  Type i32 = builder.getI32Type();
  Value grid = builder.create<grain::GridSizeOp>(location, i32, grain::Dimension(dimension));
  if (!threads.getShape())
    return grid;
  // The runtime runs the original if the product is 2^31 or more.
  Value size = builder.create<grain::BlockSizeOp>(location, i32, grain::Dimension(dimension));
  Value total = builder.create<arith::MulIOp>(location, grid, size);
  uint32_t shape = (*threads.getShape())[dimension];
  if (dimension == 0)
    shape /= grain::lanesPerThread(threads);
  Value rounded =
      builder.create<arith::AddIOp>(location, total, constant(builder, location, shape - 1));
  return builder.create<arith::DivUIOp>(location, rounded, constant(builder, location, shape));
}

Value regrain::createBlockSize(OpBuilder &builder, Location location, grain::ThreadsOp threads,
                               unsigned dimension) {
  if (threads.getShape())
    return constant(builder, location, (*threads.getShape())[dimension]);
  Value size = builder.create<grain::BlockSizeOp>(location, builder.getI32Type(),
                                                  grain::Dimension(dimension));
  int32_t fused = threads.getFusedIn(dimension);
  if (fused == 1)
    return size;
  return builder.create<arith::MulIOp>(location, size, constant(builder, location, fused));
}

std::optional<Refusal> regrain::checkCoarsenable(grain::BlocksOp blocks) {
  if (grain::lanesPerThread(blocks.threads()) != 1)
    return refuse(blocks, RefusalKind::AlreadyRegrained,
                  "the threads have already been split among lanes");
  ThreadSummary summary(blocks->getParentOfType<grain::KernelOp>());
  if (Operation *loop = summary.findWait())
    return refuse(loop, RefusalKind::WaitsForThread,
                  "a loop may wait for another thread, which the grain may keep from running");
  if (Operation *op = summary.findUnknownSynchronisation())
    return refuse(op, RefusalKind::UnknownSynchronisation,
                  "an operation may synchronise threads in an unknown way");
  return std::nullopt;
}

/// Returns whether the nest contains copies already. The copies are different places, but lanes
/// meet in the same copy if they met only at the one place before. That was checked before the
/// copies were made.
static bool isOfCopies(grain::BlocksOp blocks) {
  // Fused blocks have their own threads, so they are no copies.
  grain::ThreadsOp threads = blocks.threads();
  bool isOfSeveralBlocks = llvm::any_of(llvm::seq(0u, 3u), [&](unsigned d) {
    return blocks.getFactors()[d] != threads.getFusedIn(d);
  });
  return isOfSeveralBlocks || isCoarse(threads.getFactors());
}

std::optional<Refusal> regrain::checkMeetings(grain::BlocksOp blocks) {
  if (isOfCopies(blocks))
    return std::nullopt;
  if (auto meeting = findMeeting(blocks->getParentOfType<grain::KernelOp>()))
    return refuse(meeting->op, RefusalKind::WarpMeeting,
                  "lanes of a warp may take part in one warp operation " + meeting->where);
  return std::nullopt;
}

static bool ordersThreads(Operation *op) {
  return isBarrier(op) || interactionOf(op).publishes || interactionOf(op).seesOthers;
}

void regrain::forgetRestrict(grain::BlocksOp blocks) {
  auto kernel = blocks->getParentOfType<grain::KernelOp>();
  auto found = kernel.walk([](Operation *op) {
    return ordersThreads(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return;
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    if (!kernel.getArgAttr(index, disjointAttribute))
      kernel.removeArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName());
  kernel.walk([](LLVM::AliasAnalysisOpInterface access) {
    access.setAliasScopes(nullptr);
    access.setNoAliasScopes(nullptr);
  });
}

std::optional<Refusal> regrain::checkSharedCopies(grain::BlocksOp blocks) {
  for (auto shared : blocks.getBody().getOps<grain::DynamicSharedOp>())
    if (static_cast<int64_t>(shared.getAlignment()) > dynamicSharedAlignment)
      return refuse(shared, RefusalKind::SharedAlignment,
                    "dynamic shared memory is aligned to more than 16 bytes, but a copy for "
                    "another block is aligned to 16");
  return std::nullopt;
}

std::optional<Refusal> regrain::checkEffectsInThreads(grain::BlocksOp blocks) {
  for (Operation &op : blocks.getBody().front().without_terminator())
    if (!isa<grain::ThreadsOp, grain::SharedOp, grain::DynamicSharedOp>(op) &&
        (op.getNumRegions() != 0 || hasEffect(&op)))
      return refuse(&op, RefusalKind::EffectOutsideThreads,
                    "an operation with an effect or a region is outside grain.threads");
  return std::nullopt;
}

SmallVector<LLVM::AllocaOp> regrain::cloneAllocations(OpBuilder &builder, grain::ThreadsOp threads,
                                                      MutableArrayRef<IRMapping> mappings) {
  SmallVector<LLVM::AllocaOp> cloned;
  for (auto allocation : threads.getBody().getOps<LLVM::AllocaOp>()) {
    Operation *size = allocation.getArraySize().getDefiningOp();
    if (!size || !matchPattern(size, m_Constant()))
      continue;
    for (IRMapping &mapping : mappings) {
      if (size->getBlock() == allocation->getBlock() && !mapping.contains(size->getResult(0)))
        builder.clone(*size, mapping);
      builder.clone(*allocation, mapping);
    }
    cloned.push_back(allocation);
  }
  return cloned;
}

Operation *regrain::findControlOfBarrier(grain::BlocksOp blocks, Dependence reasons) {
  Uniformity uniformity(blocks->getParentOfType<grain::KernelOp>());
  Operation *found = nullptr;
  blocks.walk([&](Operation *barrier) {
    if (!isBarrier(barrier))
      return WalkResult::advance();
    for (Operation *outer = barrier->getParentOp(); !isa<grain::ThreadsOp>(outer);
         outer = outer->getParentOp())
      if (overlap(uniformity.ofControl(outer), reasons)) {
        found = outer;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return found;
}

Refusal regrain::refuseDivergentBarrier(Operation *control) {
  return refuse(
      control, RefusalKind::DivergentBarrier,
      isa<scf::IfOp, scf::IndexSwitchOp>(control)
          ? "a barrier is under a condition that may differ between the threads of a block"
          : "a barrier is in a loop whose trip count may differ between the threads of a block");
}

std::optional<Refusal>
regrain::tryOn(grain::BlocksOp &blocks,
               llvm::function_ref<std::optional<Refusal>(grain::BlocksOp &clone)> transform) {
  OpBuilder builder(blocks);
  auto clone = cast<grain::BlocksOp>(builder.clone(*blocks));
  if (auto refusal = transform(clone)) {
    clone.erase();
    return refusal;
  }
  blocks.erase();
  blocks = clone;
  return std::nullopt;
}
