//===- SplitThreads.cpp - Lanes that share a thread -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/SplitThreads/SplitThreads.h"

#include "compiler/Analysis/DisjointArguments.h"
#include "compiler/Transforms/ReshapeBlocks/ReshapeBlocks.h"
#include "compiler/Transforms/SplitThreads/DealLoop.h"
#include "compiler/Transforms/SplitThreads/WarpStarts.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Lets one lane of each group write outside of dealt loops, and lanes meet where one may see what
/// another has written.
class Meetings {
public:
  Meetings(const LaneGroup &group, const llvm::DenseMap<Operation *, bool> &dealt,
           const llvm::SmallPtrSetImpl<Operation *> &apart)
      : group(group), dealt(dealt), apart(apart) {}

  void place(Block &block);

private:
  /// What lanes have done last, as far as the block says.
  enum class Last : uint8_t {
    Other,
    Met,
    Written, ///< by the first lane, and they have not met since
  };

  void meetBefore(Operation *op) {
    OpBuilder builder(op);
    group.createMeeting(builder, op->getLoc());
    last = Last::Met;
  }
  void placeAroundLoop(Operation *loop, bool writes);
  void guard(Operation *op);
  void visit(Operation *op);

  const LaneGroup &group;
  const llvm::DenseMap<Operation *, bool> &dealt;  ///< whether the dealt loop writes
  const llvm::SmallPtrSetImpl<Operation *> &apart; ///< that the first lane runs as a whole
  Last last = Last::Other;
};

void Meetings::placeAroundLoop(Operation *loop, bool writes) {
  if (last == Last::Written || (writes && last != Last::Met))
    meetBefore(loop);
  last = Last::Other;
  if (!writes)
    return;
  OpBuilder builder(loop->getContext());
  builder.setInsertionPointAfter(loop);
  group.createMeeting(builder, loop->getLoc());
  last = Last::Met;
}

/// Lets the first lane alone run what stores, when all lanes have read what it overwrites.
void Meetings::guard(Operation *op) {
  if (last == Last::Other)
    meetBefore(op);
  OpBuilder builder(op);
  auto condition =
      builder.create<scf::IfOp>(op->getLoc(), group.isFirst(), /*withElseRegion=*/false);
  op->moveBefore(condition.thenBlock()->getTerminator());
  last = Last::Written;
}

void Meetings::visit(Operation *op) {
  if (auto loop = dealt.find(op); loop != dealt.end())
    return placeAroundLoop(op, loop->second);
  if (apart.contains(op))
    return guard(op);
  // The program has neither barriers nor shared memory, so these are those of the group. Shuffles
  // and the like access no memory, whosever they are.
  auto store = dyn_cast<LLVM::StoreOp>(op);
  bool isPart = store && store.getAddr().getType().getAddressSpace() == sharedSpace;
  bool isOfGroup =
      isPart || isa<grain::BarrierOp>(op) || isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect());
  if (isOfGroup || (op->getNumRegions() == 0 && !hasEffect(op)))
    return;
  if (store)
    return guard(store);
  if (last == Last::Written)
    meetBefore(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      Meetings(group, dealt, apart).place(block);
  last = Last::Other;
}

void Meetings::place(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    visit(&op);
  if (last == Last::Written)
    meetBefore(block.getTerminator());
}

} // namespace

/// Removes `noalias` where it would let loads move past meetings of lanes.
static void forgetExclusive(grain::KernelOp kernel) {
  SmallVector<unsigned> exclusive = exclusiveParameters(kernel);
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    if (isPointerParameter(kernel, index) && !llvm::is_contained(exclusive, index))
      kernel.removeArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName());
}

static std::optional<Refusal> splitNest(grain::BlocksOp &blocks, const ThreadSplitting &splitting) {
  if (auto refusal = checkDivisible(blocks, /*whole=*/splitting.areWarps))
    return refusal;
  Value warp = splitting.areWarps ? createWarpStarts(blocks) : Value();
  DealtLoops loops(blocks, splitting);
  if (loops.getRefusal())
    return loops.getRefusal();
  auto kernel = blocks->getParentOfType<grain::KernelOp>();
  LaneGroup group(blocks.threads(), splitting.lanes, splitting.areWarps);
  llvm::DenseMap<Operation *, bool> dealt;
  KeptRows kept;
  for (const DealtLoop &loop : loops.divide())
    for (Operation *part : dealLoop(loop, group, kept))
      dealt[part] = loop.writes;
  llvm::SmallPtrSet<Operation *, 4> apart(loops.getApart().begin(), loops.getApart().end());
  Meetings(group, dealt, apart).place(blocks.threads().getBody().front());
  blocks = divideIntoBlocks(blocks, splitting.shape,
                            {.lanes = splitting.lanes, .x = group.getX(), .warp = warp});
  forgetExclusive(kernel);
  return std::nullopt;
}

std::optional<Refusal> regrain::splitThreads(grain::BlocksOp &blocks,
                                             const ThreadSplitting &splitting) {
  if (!splitting.areWarps)
    return splitNest(blocks, splitting);
  return tryOn(blocks, [&](grain::BlocksOp &clone) { return splitNest(clone, splitting); });
}

/// Notes what a lane could access together in a loop of which it takes neighbouring iterations.
static void addJoined(DealtLoop &dealt, SharedLoops &shared) {
  for (const Access &access : dealt.joined) {
    auto bytes = uint32_t(*access.size);
    shared.leastBytes = shared.leastBytes ? std::min(shared.leastBytes, bytes) : bytes;
    shared.addresses.push_back(access.op->getOperand(access.writes ? 1 : 0));
  }
  if (!dealt.joined.empty())
    shared.ends.push_back(dealt.loop.getUpperBound());
}

static SharedLoops findLoops(grain::BlocksOp blocks, const ThreadSplitting &splitting) {
  SharedLoops shared;
  DealtLoops loops(blocks, splitting);
  bool gains = !loops.getRefusal() && llvm::any_of(loops.get(), [](const DealtLoop &dealt) {
    return dealt.neighbours > 0;
  });
  if (!gains)
    return {};
  for (DealtLoop &dealt : loops.get()) {
    ++shared.count;
    shared.addsInOrder |= dealt.carried.areOrdered();
    addJoined(dealt, shared);
  }
  shared.rereads = loops.countRows() != 0;
  return shared;
}

SharedLoops regrain::findSharedLoops(grain::KernelOp kernel, uint32_t lanes, bool mayReorder) {
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks || checkDivisible(blocks))
    return {};
  return findLoops(blocks, {.lanes = lanes, .width = 1, .shape = {}, .mayReorder = mayReorder});
}

SharedLoops regrain::findLoopsOfWarps(grain::KernelOp kernel, uint32_t warps, bool mayReorder) {
  grain::BlocksOp blocks = kernel.blocks();
  if (!blocks || checkDivisible(blocks, /*whole=*/true))
    return {};
  // Only what it derives is needed here, so that loops are seen as they are when they are split.
  (void)createWarpStarts(blocks);
  return findLoops(
      blocks,
      {.lanes = warps, .areWarps = true, .width = 1, .shape = {}, .mayReorder = mayReorder});
}
