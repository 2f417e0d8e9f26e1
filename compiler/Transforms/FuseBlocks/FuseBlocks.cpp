//===- FuseBlocks.cpp - Neighbouring blocks side by side ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/FuseBlocks/FuseBlocks.h"

#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Transforms/Regroup.h"
#include "compiler/Transforms/SplitGuards/SplitGuards.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace regrain;

namespace {

class Fusion {
public:
  Fusion(grain::BlocksOp old, const Factors &factors)
      : old(old), factors(factors), builder(old), location(old.getLoc()) {}

  grain::BlocksOp run();

private:
  void createNest();
  RegroupedThread derive();
  Value createPart();
  void mapShared();
  int64_t bytesOf(grain::SharedOp op);

  grain::BlocksOp old;
  Factors factors;
  OpBuilder builder;
  Location location;
  grain::BlocksOp blocks;
  grain::ThreadsOp threads;
  SmallVector<std::pair<Operation *, Operation *>> shared; ///< old, new
  std::array<Value, 3> parts; ///< the position among the fused blocks, in dimensions whose factor
                              ///< is not 1
  IRMapping mapping;
};

/// Returns the bytes of one block's share, rounded up so that each share is aligned.
int64_t Fusion::bytesOf(grain::SharedOp op) {
  uint64_t bytes = DataLayout::closest(op).getTypeSize(op.getType()).getFixedValue();
  return llvm::alignTo(bytes, op.getAlignment());
}

void Fusion::createNest() {
  SmallVector<Location> locations(3, location);
  std::array<int32_t, 3> fused = multiply({1, 1, 1}, factors);
  blocks = cast<grain::BlocksOp>(builder.insert(old->cloneWithoutRegions()));
  blocks.setFactors(fused);
  builder.createBlock(&blocks.getBody(), {}, old.getBody().getArgumentTypes(), locations);
  int64_t copies = int64_t(factors[0]) * factors[1] * factors[2];
  for (Operation &op : old.getBody().front()) {
    if (auto variable = dyn_cast<grain::SharedOp>(op)) {
      Type bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), bytesOf(variable) * copies);
      Operation *all =
          builder.create<grain::SharedOp>(variable.getLoc(), variable.getResult().getType(),
                                          variable.getName(), bytes, variable.getAlignment());
      shared.emplace_back(&op, all);
    } else if (isa<grain::DynamicSharedOp>(op)) {
      shared.emplace_back(&op, builder.clone(op));
    }
  }
  grain::ThreadsOp oldThreads = old.threads();
  threads = cast<grain::ThreadsOp>(builder.insert(oldThreads->cloneWithoutRegions()));
  threads.setFused(fused);
  if (ThreadSummary(old->getParentOfType<grain::KernelOp>()).findWarpOperation())
    threads.setWholeWarps(true);
  builder.create<grain::YieldOp>(location);
  builder.createBlock(&threads.getBody(), {}, old.getBody().getArgumentTypes(), locations);
  Operation *end = builder.create<grain::YieldOp>(location);
  builder.setInsertionPoint(end);
}

/// Derives which thread's work the running thread does. The comparison at the edge needs no
/// division: %B + %p / size < grid if and only if %p < min(grid - %B, F) * size.
RegroupedThread Fusion::derive() {
  RegroupedThread thread;
  Type i32 = builder.getI32Type();
  for (unsigned d = 0; d < 3; ++d) {
    Value first = blocks.getBody().getArgument(d);
    Value position = threads.getBody().getArgument(d);
    thread.block[d] = first;
    thread.thread[d] = position;
    if (factors[d] == 1)
      continue;
    Value size = builder.create<grain::BlockSizeOp>(location, i32, grain::Dimension(d));
    Value grid = builder.create<grain::GridSizeOp>(location, i32, grain::Dimension(d));
    parts[d] = builder.create<arith::DivUIOp>(location, position, size);
    thread.block[d] = builder.create<arith::AddIOp>(location, first, parts[d]);
    thread.thread[d] = builder.create<arith::RemUIOp>(location, position, size);
    Value start = builder.create<arith::MulIOp>(location, first, size);
    thread.index[d] = builder.create<arith::AddIOp>(location, start, position);
    Value left = builder.create<arith::SubIOp>(location, grid, first);
    left = builder.create<arith::MinUIOp>(location, left, constant(builder, location, factors[d]));
    Value limit = builder.create<arith::MulIOp>(location, left, size);
    Value inside =
        builder.create<arith::CmpIOp>(location, arith::CmpIPredicate::ult, position, limit);
    thread.inside = thread.inside
                        ? builder.create<arith::AndIOp>(location, thread.inside, inside).getResult()
                        : inside;
  }
  return thread;
}

/// Creates the position of the running thread's block among the fused ones, with x varying fastest.
Value Fusion::createPart() {
  Value number;
  uint32_t stride = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (parts[d]) {
      Value scaled = parts[d];
      if (stride != 1)
        scaled =
            builder.create<arith::MulIOp>(location, scaled, constant(builder, location, stride));
      number =
          number ? builder.create<arith::AddIOp>(location, number, scaled).getResult() : scaled;
    }
    stride *= factors[d];
  }
  return number;
}

void Fusion::mapShared() {
  if (shared.empty())
    return;
  Value part = createPart();
  for (auto [before, after] : shared) {
    Value share =
        isa<grain::DynamicSharedOp>(before)
            ? builder.create<grain::DynamicSharedSizeOp>(location, builder.getI32Type()).getResult()
            : constant(builder, location, bytesOf(cast<grain::SharedOp>(before)));
    Value offset = builder.create<arith::MulIOp>(location, part, share);
    Value own = builder.create<LLVM::GEPOp>(location, after->getResult(0).getType(),
                                            builder.getI8Type(), after->getResult(0),
                                            ArrayRef<LLVM::GEPArg>{offset}, /*inbounds=*/true);
    mapping.map(before->getResult(0), own);
  }
}

grain::BlocksOp Fusion::run() {
  createNest();
  RegroupedThread thread = derive();
  mapShared();
  createGuardedBody(builder, old, thread, threads.getBody().front(), mapping);
  old.erase();
  return blocks;
}

} // namespace

std::optional<Refusal> regrain::fuseBlocks(grain::BlocksOp &blocks, const Factors &factors) {
  if (factors == Factors{1, 1, 1})
    return std::nullopt;
  if (auto refusal = checkCoarsenable(blocks))
    return refusal;
  if (auto refusal = checkRegroupable(blocks))
    return refusal;
  if (auto refusal = checkSharedCopies(blocks))
    return refusal;
  grain::BarrierReduceOp reduce;
  blocks.walk([&](grain::BarrierReduceOp op) { reduce = op; });
  if (reduce)
    return refuse(reduce, RefusalKind::ReducingBarrier,
                  "a barrier would combine the predicates of several blocks");
  return tryOn(blocks, [&](grain::BlocksOp &clone) -> std::optional<Refusal> {
    clone = Fusion(clone, factors).run();
    splitGuards(clone.threads());
    // All threads of the nest must reach each barrier equally often.
    Operation *control = findControlOfBarrier(clone, Dependence::Threads | Dependence::Memory);
    if (!control)
      return std::nullopt;
    return refuse(
        control, RefusalKind::BlockDependentBarrier,
        "a barrier is under a condition or in a loop that may differ between the fused blocks");
  });
}
