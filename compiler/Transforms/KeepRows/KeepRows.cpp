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
#include "compiler/Transforms/KeepRows/SplitCopies.h"
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

/// An attribute of loads.
constexpr llvm::StringLiteral loopName = "grain.row_loop";

namespace {

/// A loop over elements of global memory.
struct RowLoop {
  Operation *op;
  llvm::SmallDenseSet<Value> touched;                ///< the parameters that point to the memory
  SmallVector<std::pair<LLVM::LoadOp, Value>> loads; ///< with their parameters
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

  /// Returns those that load what an earlier one has touched, with these loads, and the earlier
  /// ones, in order.
  std::vector<RowLoop> findRelated() const;

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
    if (auto load = dyn_cast<LLVM::LoadOp>(inner))
      loop.loads.emplace_back(load, access->base);
  });
  loops.push_back(std::move(loop));
}

std::vector<RowLoop> RowLoops::findRelated() const {
  std::vector<RowLoop> related;
  SmallVector<bool> isEarlier(loops.size()), isLater(loops.size());
  std::vector<RowLoop> found = loops;
  for (auto [later, loop] : llvm::enumerate(found)) {
    auto touches = [&](const RowLoop &earlier, Value base) {
      return earlier.touched.contains(base);
    };
    llvm::erase_if(loop.loads, [&](const auto &load) {
      return llvm::none_of(ArrayRef(loops).take_front(later),
                           [&](const RowLoop &earlier) { return touches(earlier, load.second); });
    });
    isLater[later] = !loop.loads.empty();
    for (size_t earlier = 0; earlier < later; ++earlier)
      isEarlier[earlier] |= llvm::any_of(
          loop.loads, [&](const auto &load) { return touches(loops[earlier], load.second); });
  }
  for (auto [loop, comesEarlier, comesLater] : llvm::zip_equal(found, isEarlier, isLater))
    if (comesEarlier || comesLater)
      related.push_back(loop);
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

/// Makes loads of different loops different operations, so that cleaning up does not merge them:
/// what is merged is not known to be kept.
static void nameLoads(const RowLoop &loop, unsigned number) {
  for (auto [load, base] : loop.loads)
    load->setAttr(loopName, Builder(load).getI32IntegerAttr(int32_t(number)));
}

static bool isNamed(LLVM::LoadOp load) { return load->hasAttr(loopName); }

/// Returns a refusal that names the first store of fewer bytes than what a loop reads at once from
/// the same memory. Such a store may change a part of it, and values are kept as a whole.
static std::optional<Refusal> findPartialStore(grain::KernelOp kernel) {
  Accesses accesses(kernel);
  llvm::SmallDenseMap<Value, int64_t> widest;
  kernel.walk([&](LLVM::LoadOp load) {
    std::optional<Access> access = isNamed(load) ? accesses.of(load) : std::nullopt;
    if (access && access->kind == Base::Parameter) {
      int64_t &bytes = widest[access->base];
      bytes = std::max(bytes, access->size.value_or(0));
    }
  });
  std::optional<Refusal> found;
  kernel.walk([&](LLVM::StoreOp store) {
    std::optional<Access> access = accesses.of(store);
    int64_t read = access && access->kind == Base::Parameter ? widest.lookup(access->base) : 0;
    if (!access || !access->size || *access->size >= read)
      return WalkResult::advance();
    found = refuse(store, RefusalKind::NothingKept,
                   "it may change " + Twine(*access->size) + " of the " + Twine(read) +
                       " bytes that a loop reads at once");
    return WalkResult::interrupt();
  });
  return found;
}

static std::optional<Refusal> keep(grain::KernelOp kernel, unsigned joined,
                                   const FrozenRewritePatternSet &patterns) {
  splitCopies(kernel);
  std::vector<RowLoop> loops = RowLoops(kernel).findRelated();
  if (loops.empty())
    return refuse(kernel, RefusalKind::NothingKept,
                  "no loop reads what an earlier loop reads or writes");
  for (auto [number, loop] : llvm::enumerate(loops))
    nameLoads(loop, number);
  // What one iteration reads again does not need a row.
  forwardLoads(kernel, mostElements, isNamed);
  unsigned budget = mostUnrolled, length = mostUnrolled;
  std::optional<Refusal> unknown;
  for (const RowLoop &loop : loops) {
    AffineForms forms(kernel);
    std::optional<unsigned> count =
        unrollLoop(loop.op, budget, [&](Value condition) { return forms.decide(condition); });
    if (count)
      length = std::min(length, *count);
    else if (!unknown)
      unknown = refuse(loop.op, RefusalKind::NothingKept,
                       "it is not known that all threads run the loop equally often, or it is too "
                       "long");
  }
  if (failed(cleanUp(kernel, patterns)))
    return refuse(kernel, RefusalKind::InvalidResult, "the kernel cannot be simplified");
  ForwardedLoads forwarded = forwardLoads(kernel, mostElements, isNamed);
  std::optional<Refusal> partial = findPartialStore(kernel);
  kernel.walk([](LLVM::LoadOp load) { load->removeAttr(loopName); });
  if (forwarded.count >= std::max(length, 1u))
    return checkSize(kernel, forwarded.values, joined);
  if (unknown)
    return unknown;
  if (length > mostElements)
    return refuse(kernel, RefusalKind::TooLarge,
                  "a row has " + Twine(length) + " elements for each thread of the program");
  if (partial)
    return partial;
  return refuse(kernel, RefusalKind::NothingKept,
                "what loops read again may have been written in between");
}

bool regrain::readsRowsAgain(grain::KernelOp kernel) {
  // Callees are found from where the kernel is.
  OwningOpRef<grain::KernelOp> copy = cast<grain::KernelOp>(OpBuilder(kernel).clone(*kernel));
  splitCopies(*copy);
  return !RowLoops(*copy).findRelated().empty();
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
