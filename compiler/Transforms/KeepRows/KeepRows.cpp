//===- KeepRows.cpp - Rows of global memory in registers ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/KeepRows/KeepRows.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Barriers.h"
#include "compiler/Transforms/CleanUp/CleanUp.h"
#include "compiler/Transforms/ForwardMemory/ForwardMemory.h"
#include "compiler/Transforms/UnrollLoops.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/image/launch_limits.h"

using namespace mlir;
using namespace regrain;

/// The number of operations that unrolling may add to a kernel.
constexpr unsigned mostUnrolled = 16384;
/// The elements of one thread that are known at a point, of all rows.
constexpr size_t mostElements = 512;
/// The registers for rows in a block: half of what a multiprocessor has.
constexpr uint64_t mostOfBlock = 32768;
/// The registers for rows in a launched thread, which has at most 255.
constexpr uint64_t mostOfThread = 160;

namespace {

/// A loop over elements of global memory.
struct RowLoop {
  Operation *op;
  llvm::SmallDenseSet<Value> touched, loaded; ///< the parameters that point to the memory
};

/// Finds the outermost loops that contain no barrier.
class RowLoops {
public:
  explicit RowLoops(grain::KernelOp kernel) : accesses(kernel), barriers(kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<scf::ForOp, scf::WhileOp>(op) || barriers.isIn(op))
        return WalkResult::advance();
      add(op);
      return WalkResult::skip();
    });
  }

  /// Returns those that load what an earlier one has touched, and these earlier ones, in order.
  SmallVector<Operation *> findRelated() const;

private:
  void add(Operation *op);

  Accesses accesses;
  Barriers barriers;
  std::vector<RowLoop> loops;
};

void RowLoops::add(Operation *op) {
  RowLoop loop = {op, {}, {}};
  op->walk([&](Operation *inner) {
    std::optional<Access> access = accesses.of(inner);
    if (!access || access->kind != Base::Parameter)
      return;
    loop.touched.insert(access->base);
    if (isa<LLVM::LoadOp>(inner))
      loop.loaded.insert(access->base);
  });
  loops.push_back(std::move(loop));
}

SmallVector<Operation *> RowLoops::findRelated() const {
  SmallVector<bool> isRelated(loops.size());
  for (size_t later = 0; later < loops.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier)
      if (llvm::any_of(loops[later].loaded,
                       [&](Value base) { return loops[earlier].touched.contains(base); }))
        isRelated[earlier] = isRelated[later] = true;
  SmallVector<Operation *> related;
  for (auto [loop, isChosen] : llvm::zip_equal(loops, isRelated))
    if (isChosen)
      related.push_back(loop.op);
  return related;
}

/// Returns the registers that values take.
uint64_t registersFor(const llvm::SetVector<Value> &values) {
  uint64_t count = 0;
  for (Value value : values) {
    DataLayout layout = DataLayout::closest(value.getParentBlock()->getParentOp());
    count +=
        llvm::divideCeil(layout.getTypeSize(value.getType()).getFixedValue(), sizeof(uint32_t));
  }
  return count;
}

} // namespace

static uint64_t threadsOf(grain::ThreadsOp threads) {
  uint64_t count = 1;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::optional<uint32_t> known = threads.getKnownIterations(dimension);
    if (!known)
      return maxBlockThreads;
    count *= *known;
  }
  return count;
}

static std::optional<Refusal> checkSize(grain::KernelOp kernel,
                                        const llvm::SetVector<Value> &values, unsigned joined) {
  grain::ThreadsOp threads = kernel.blocks().threads();
  uint64_t registers = registersFor(values);
  if (registers * threadsOf(threads) > mostOfBlock || registers * joined > mostOfThread)
    return refuse(threads, RefusalKind::TooLarge,
                  "the rows would take " + Twine(registers) + " registers for each thread of the " +
                      "program");
  return std::nullopt;
}

static std::optional<Refusal> keep(grain::KernelOp kernel, unsigned joined,
                                   const FrozenRewritePatternSet &patterns) {
  SmallVector<Operation *> loops = RowLoops(kernel).findRelated();
  if (loops.empty())
    return refuse(kernel, RefusalKind::NothingKept,
                  "no loop reads what an earlier loop reads or writes");
  // What one iteration reads again does not need a row.
  forwardLoads(kernel, mostElements);
  unsigned budget = mostUnrolled, length = mostUnrolled;
  std::optional<Refusal> unknown;
  for (Operation *loop : loops) {
    AffineForms forms(kernel);
    std::optional<unsigned> count =
        unrollLoop(loop, budget, [&](Value condition) { return forms.decide(condition); });
    if (count)
      length = std::min(length, *count);
    else if (!unknown)
      unknown = refuse(loop, RefusalKind::NothingKept,
                       "it is not known that all threads run the loop equally often, or it is too "
                       "long");
  }
  if (failed(cleanUp(kernel, patterns)))
    return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
  ForwardedLoads forwarded = forwardLoads(kernel, mostElements);
  if (forwarded.count >= std::max(length, 1u))
    return checkSize(kernel, forwarded.values, joined);
  if (unknown)
    return unknown;
  if (length > mostElements)
    return refuse(kernel, RefusalKind::TooLarge,
                  "a row has " + Twine(length) + " elements for each thread of the program");
  return refuse(kernel, RefusalKind::NothingKept,
                "what loops read again may have been written in between");
}

std::optional<Refusal> regrain::keepRows(grain::KernelOp kernel, unsigned joined,
                                         const FrozenRewritePatternSet &patterns) {
  if (!kernel.blocks())
    return refuse(kernel, RefusalKind::AlreadyExpanded,
                  "the kernel has been expanded into alternatives");
  OwningOpRef<grain::KernelOp> before = kernel.clone();
  if (auto refusal = keep(kernel, joined, patterns)) {
    kernel.getBody().takeBody(before->getBody());
    return refusal;
  }
  return std::nullopt;
}
