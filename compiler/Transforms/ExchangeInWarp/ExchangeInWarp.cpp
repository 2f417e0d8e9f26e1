//===- ExchangeInWarp.cpp - Shared arrays in registers of a warp ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/ExchangeInWarp.h"

#include "compiler/Analysis/Interaction.h"
#include "compiler/Analysis/Intervals.h"
#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/Coarsening.h"
#include "compiler/Transforms/ExchangeInWarp/Registers.h"
#include "compiler/Transforms/ExchangeInWarp/UnrollLoops.h"
#include "compiler/Transforms/RemoveBarriers/RemoveBarriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace regrain;

/// The number of operations that unrolling may add to a kernel.
constexpr unsigned mostUnrolled = 16384;

/// Refuses operations by which threads may order accesses without a barrier.
static std::optional<Refusal> checkOrder(grain::ThreadsOp threads) {
  std::optional<Refusal> refusal;
  threads.walk([&](Operation *op) {
    Interaction interaction = interactionOf(op);
    if (interaction.convergence == Convergence::Unknown)
      refusal = refuse(op, RefusalKind::UnknownSynchronisation,
                       "the operation may synchronise threads in a way that is not understood");
    else if (interaction.seesOthers)
      refusal = refuse(op, RefusalKind::ExchangePattern,
                       "threads may wait for each other here without a barrier");
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

/// Replaces integers that all lanes agree on by constants, and cleans up.
static LogicalResult fold(grain::ThreadsOp threads, const FrozenRewritePatternSet &patterns) {
  LaneValues values(threads);
  SmallVector<std::pair<Operation *, APInt>> common;
  threads.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (std::optional<APInt> number = values.commonOf(op->getResult(0)))
      common.emplace_back(op, *number);
  });
  for (auto [op, number] : common) {
    OpBuilder builder(op);
    auto attribute = builder.getIntegerAttr(op->getResult(0).getType(), number);
    op->replaceAllUsesWith(builder.create<arith::ConstantOp>(op->getLoc(), attribute));
    op->erase();
  }
  return cleanUp(threads->getParentOfType<grain::KernelOp>(), patterns);
}

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

/// Unrolls a loop on which the address of the access may depend: the innermost around it that can
/// be, or one whose result the address is computed from.
static bool unrollFor(const SharedAccess &access, unsigned &budget) {
  for (Operation *op = access.op->getParentOp(); !isa<grain::ThreadsOp>(op); op = op->getParentOp())
    if (isLoop(op) && unrollLoop(op, budget))
      return true;
  llvm::SetVector<Operation *> sources;
  auto add = [&](Value value) {
    if (Operation *source = value.getDefiningOp())
      sources.insert(source);
  };
  add(access.address());
  for (size_t next = 0; next < sources.size(); ++next) {
    if (isLoop(sources[next]) && unrollLoop(sources[next], budget))
      return true;
    llvm::for_each(sources[next]->getOperands(), add);
  }
  return false;
}

/// Unrolls loops until the elements of all accesses are known.
static std::optional<Refusal> makeKnown(grain::KernelOp kernel,
                                        const FrozenRewritePatternSet &patterns) {
  unsigned budget = mostUnrolled;
  while (true) {
    grain::ThreadsOp threads = kernel.blocks().threads();
    if (failed(fold(threads, patterns)))
      return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
    std::vector<SharedAccess> accesses;
    if (auto refusal = findSharedAccesses(threads, accesses))
      return refusal;
    LaneValues values(threads);
    llvm::erase_if(accesses,
                   [&](const SharedAccess &access) { return elementsOf(access, values); });
    if (accesses.empty())
      return std::nullopt;
    if (llvm::none_of(accesses,
                      [&](const SharedAccess &access) { return unrollFor(access, budget); }))
      return refuse(accesses.front().op, RefusalKind::ExchangePattern,
                    "it is not known which element of a shared array each lane accesses");
  }
}

/// Lets barriers that are left wait for the lanes of the warp, which are the whole block. One
/// thread waits for nobody.
static void weakenBarriers(grain::ThreadsOp threads) {
  SmallVector<grain::BarrierOp> barriers;
  threads.walk([&](grain::BarrierOp barrier) {
    if (endsInterval(barrier))
      barriers.push_back(barrier);
  });
  bool isWarp = LaneValues::threadsIn(threads) == warpThreads;
  for (grain::BarrierOp barrier : barriers) {
    OpBuilder builder(barrier);
    Location location = barrier.getLoc();
    if (isWarp)
      builder.create<NVVM::SyncWarpOp>(location, constant(builder, location, ~0u));
    barrier.erase();
  }
}

static std::optional<Refusal> exchange(grain::KernelOp kernel,
                                       const FrozenRewritePatternSet &patterns) {
  if (auto refusal = makeKnown(kernel, patterns))
    return refusal;
  grain::ThreadsOp threads = kernel.blocks().threads();
  if (auto refusal = checkOrder(threads))
    return refusal;
  Registers registers(threads);
  if (auto refusal = registers.place())
    return refusal;
  registers.replaceAccesses();
  // Shuffles would keep barriers in place, so they come last.
  removeBarriers(kernel);
  registers.createShuffles();
  weakenBarriers(threads);
  return std::nullopt;
}

std::optional<Refusal> regrain::exchangeInWarp(grain::KernelOp kernel,
                                               const FrozenRewritePatternSet &patterns) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded,
                  "the kernel has been expanded into alternatives");
  grain::ThreadsOp threads = kernel.blocks().threads();
  std::optional<int64_t> lanes = LaneValues::threadsIn(threads);
  if (lanes != warpThreads && lanes != 1)
    return refuse(threads, RefusalKind::NotOneWarp,
                  lanes ? "the launched block has " + Twine(*lanes) + " threads"
                        : Twine("the number of threads of the launched block is not known"));
  if (sharedArraysOf(threads).empty())
    return refuse(kernel, RefusalKind::NothingExchanged, "the kernel has no shared memory");
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  if (auto refusal = exchange(kernel, patterns)) {
    kernel.getBody().takeBody(before->getBody());
    return refusal;
  }
  return std::nullopt;
}
