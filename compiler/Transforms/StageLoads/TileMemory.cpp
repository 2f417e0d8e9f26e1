//===- TileMemory.cpp - Shared memory for tiles ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StageLoads/TileMemory.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/DeviceIR/StagedName.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace regrain;

std::optional<std::array<int64_t, 3>> regrain::knownBlockOf(grain::ThreadsOp threads) {
  std::array<int64_t, 3> block;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    std::optional<int32_t> count = threads.getKnownIterations(dimension);
    if (!count)
      return std::nullopt;
    block[dimension] = *count;
  }
  return block;
}

Operation *regrain::findEndOfThread(grain::KernelOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    if (mayEndThread(op))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<std::pair<Operation *, StringRef>> regrain::findHindrance(grain::KernelOp kernel) {
  ThreadSummary summary(kernel);
  for (Operation *op : {summary.findUnknownSynchronisation(), summary.findWait()})
    if (op)
      return {{op, "a thread may wait for another one here"}};
  if (Operation *op = findEndOfThread(kernel))
    return {{op, "the kernel may end a thread here, before it loads"}};
  return std::nullopt;
}

bool regrain::isPlain(scf::ForOp loop, Accesses &accesses) {
  bool isPlain = true;
  loop.getBody()->walk([&](Operation *op) {
    std::optional<Access> access = accesses.of(op);
    isPlain &= !isBarrier(op) && !isa<scf::WhileOp>(op) && !(access && access->isOrdered);
  });
  return isPlain;
}

uint64_t regrain::sharedBytesOf(grain::KernelOp kernel) {
  uint64_t bytes = 0;
  kernel.walk([&](grain::SharedOp array) {
    bytes = llvm::alignTo(bytes, std::max<int64_t>(array.getAlignment(), tileAlignment)) +
            DataLayout::closest(array).getTypeSize(array.getType()).getFixedValue();
  });
  return bytes;
}

uint64_t regrain::alignmentOf(grain::KernelOp kernel, Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  auto alignment = argument ? kernel.getArgAttrOfType<IntegerAttr>(
                                  argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName())
                            : IntegerAttr();
  return alignment ? alignment.getValue().getZExtValue() : 1;
}

Value regrain::createTileArray(grain::ThreadsOp threads, const Tile &tile, StringRef name,
                               int64_t count, int64_t more) {
  OpBuilder before = OpBuilder::atBlockBegin(threads->getBlock());
  std::string ownName = (name + (tile.bulk ? StringRef(bulkSuffix) : StringRef())).str();
  return before.create<grain::SharedOp>(
      threads.getLoc(), LLVM::LLVMPointerType::get(threads.getContext(), sharedSpace), ownName,
      LLVM::LLVMArrayType::get(tile.copiedType(), count * tile.slots() + more),
      tile.arrayAlignment());
}

Value regrain::createPlace(OpBuilder &builder, const Tile &tile, Value shared,
                           ArrayRef<LLVM::GEPArg> slots) {
  Type element = LLVM::LLVMArrayType::get(builder.getI8Type(), tile.bytes);
  return builder.create<LLVM::GEPOp>(shared.getLoc(), shared.getType(), element, shared, slots,
                                     /*inbounds=*/true);
}

void regrain::redirectLoads(OpBuilder &builder, const Tile &tile, Value shared,
                            ArrayRef<Value> coordinates, const IRMapping &mapping) {
  Location location = shared.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantIntOp>(location, value, 32);
  };
  Value number;
  for (unsigned dimension : llvm::reverse(tile.order())) {
    int64_t extent = dimension == tile.line ? tile.pitch : tile.extent[dimension];
    if (number && extent != 1)
      number = builder.create<arith::MulIOp>(location, number, constant(extent));
    if (!tile.hasStride(dimension) || !coordinates[dimension])
      continue;
    Value own = coordinates[dimension];
    if (dimension == tile.line && tile.step != 1)
      own = builder.create<arith::MulIOp>(location, own, constant(tile.step));
    number = number ? builder.create<arith::AddIOp>(location, number, own).getResult() : own;
  }
  Value first = createPlace(builder, tile, shared, {number});
  for (const TileLoad &staged : tile.loads) {
    Operation *own = LLVM::LoadOp(staged.load);
    auto load = cast<LLVM::LoadOp>(mapping.lookupOrDefault(own));
    OpBuilder at(load);
    Value from = createPlace(at, tile, first, {int32_t(tile.slotOf(staged.first))});
    auto read = at.create<LLVM::LoadOp>(load.getLoc(), load.getType(), from, tile.bytes);
    load.replaceAllUsesWith(read.getResult());
    load.erase();
  }
}

Operation *regrain::frontBehindAllocations(Block &body) {
  for (auto alloca : llvm::make_early_inc_range(body.getOps<LLVM::AllocaOp>()))
    if (alloca.getArraySize().getParentBlock() != &body)
      alloca->moveBefore(&body, body.begin());
  Operation *start = &body.front();
  while (isa<LLVM::AllocaOp>(start))
    start = start->getNextNode();
  return start;
}
