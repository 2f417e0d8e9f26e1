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
#include "compiler/Transforms/RemoveBarriers/RemoveBarriers.h"
#include "compiler/Transforms/UnrollLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace regrain;

/// The number of operations that unrolling may add to a kernel.
constexpr unsigned mostUnrolled = 16384;
/// The warps of a block. Each is analysed by itself, which takes time.
constexpr int64_t mostWarps = 8;

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

/// Returns the number that all lanes of all warps have, or nothing.
static std::optional<APInt> commonOf(Value value, std::vector<LaneValues> &warps) {
  std::optional<APInt> common = warps.front().commonOf(value);
  for (LaneValues &warp : llvm::drop_begin(warps))
    if (!common || warp.commonOf(value) != common)
      return std::nullopt;
  return common;
}

/// Replaces integers that all lanes agree on by constants, and cleans up.
static LogicalResult fold(grain::ThreadsOp threads, const FrozenRewritePatternSet &patterns) {
  std::vector<LaneValues> warps = LaneValues::ofBlock(threads);
  SmallVector<std::pair<Operation *, APInt>> common;
  threads.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (std::optional<APInt> number = commonOf(op->getResult(0), warps))
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

namespace {

/// Unrolls loops on which addresses depend, one at a time.
class LoopChoice {
public:
  explicit LoopChoice(unsigned &budget) : budget(budget) {}

  /// Unrolls the innermost loop around the access that can be, or one whose result its address is
  /// computed from. Returns false if there is none.
  bool unrollFor(const SharedAccess &access);

private:
  bool unroll(Operation *op) {
    if (!isa<scf::ForOp, scf::WhileOp>(op) || refused.contains(op))
      return false;
    if (unrollLoop(op, budget))
      return true;
    refused.insert(op);
    return false;
  }

  unsigned &budget;
  llvm::DenseSet<Operation *> refused; ///< loops that cannot be unrolled
};

bool LoopChoice::unrollFor(const SharedAccess &access) {
  for (Operation *op = access.op->getParentOp(); !isa<grain::ThreadsOp>(op); op = op->getParentOp())
    if (unroll(op))
      return true;
  llvm::SetVector<Operation *> sources;
  auto add = [&](Value value) {
    if (Operation *source = value.getDefiningOp())
      sources.insert(source);
  };
  add(access.address());
  for (size_t next = 0; next < sources.size(); ++next) {
    if (unroll(sources[next]))
      return true;
    llvm::for_each(sources[next]->getOperands(), add);
  }
  return false;
}

} // namespace

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
    std::vector<LaneValues> warps = LaneValues::ofBlock(threads);
    llvm::erase_if(accesses, [&](const SharedAccess &access) { return elementsOf(access, warps); });
    if (accesses.empty())
      return std::nullopt;
    LoopChoice choice(budget);
    if (llvm::none_of(accesses,
                      [&](const SharedAccess &access) { return choice.unrollFor(access); }))
      return refuse(accesses.front().op, RefusalKind::ExchangePattern,
                    "it is not known which element of a shared array each lane accesses");
  }
}

/// Lets barriers that are left wait for the lanes of the warp, if they are the whole block. One
/// thread waits for nobody.
static void weakenBarriers(grain::ThreadsOp threads) {
  int64_t count = LaneValues::threadsIn(threads).value();
  if (count > warpThreads)
    return;
  SmallVector<grain::BarrierOp> barriers;
  threads.walk([&](grain::BarrierOp barrier) {
    if (endsInterval(barrier))
      barriers.push_back(barrier);
  });
  for (grain::BarrierOp barrier : barriers) {
    OpBuilder builder(barrier);
    Location location = barrier.getLoc();
    if (count == warpThreads)
      builder.create<NVVM::SyncWarpOp>(location, constant(builder, location, ~0u));
    barrier.erase();
  }
}

static std::optional<Refusal> exchange(grain::KernelOp kernel, Exchanges exchanges,
                                       const FrozenRewritePatternSet &patterns) {
  if (auto refusal = makeKnown(kernel, patterns))
    return refusal;
  grain::ThreadsOp threads = kernel.blocks().threads();
  if (auto refusal = checkOrder(threads))
    return refusal;
  Registers registers(threads, exchanges);
  if (auto refusal = registers.place())
    return refusal;
  registers.replaceAccesses();
  // Shuffles would keep barriers in place, so they come last.
  removeBarriers(kernel);
  registers.createShuffles();
  weakenBarriers(threads);
  return std::nullopt;
}

static std::optional<Refusal> checkWarps(grain::ThreadsOp threads) {
  std::optional<int64_t> count = LaneValues::threadsIn(threads);
  if (!count)
    return refuse(threads, RefusalKind::NotInWarps,
                  "the number of threads of the launched block is not known");
  if (*count != 1 && (*count % warpThreads != 0 || *count > mostWarps * warpThreads))
    return refuse(threads, RefusalKind::NotInWarps,
                  "the launched block has " + Twine(*count) + " threads");
  return std::nullopt;
}

std::optional<Refusal> regrain::exchangeInWarp(grain::KernelOp kernel, Exchanges exchanges,
                                               const FrozenRewritePatternSet &patterns) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded,
                  "the kernel has been expanded into alternatives");
  grain::ThreadsOp threads = kernel.blocks().threads();
  if (auto refusal = checkWarps(threads))
    return refusal;
  if (sharedArraysOf(threads).empty())
    return refuse(kernel, RefusalKind::NothingExchanged, "the kernel has no shared memory");
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  if (auto refusal = exchange(kernel, exchanges, patterns)) {
    kernel.getBody().takeBody(before->getBody());
    return refusal;
  }
  return std::nullopt;
}
