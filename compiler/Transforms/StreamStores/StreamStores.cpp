//===- StreamStores.cpp - Stores past the caches --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StreamStores/StreamStores.h"

#include "compiler/Analysis/Access.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace regrain;

namespace {

bool isGlobal(const Access &access) {
  return access.addressSpace == genericSpace || access.addressSpace == globalSpace;
}

/// Returns whether the base is known, so that it tells which memory is accessed.
bool isOfKnownBase(const Access &access) { return access.base && access.kind != Base::Unknown; }

/// Returns whether the two stand in different branches of a condition, which never both run.
bool areExclusive(Operation *first, Operation *second) {
  for (Region *region = first->getParentRegion(); region; region = region->getParentRegion()) {
    auto condition = dyn_cast<scf::IfOp>(region->getParentOp());
    if (!condition || !condition->isProperAncestor(second))
      continue;
    return !region->isAncestor(second->getParentRegion());
  }
  return false;
}

class Streaming {
public:
  explicit Streaming(grain::KernelOp kernel) : accesses(kernel) {
    kernel.walk([&](Operation *op) {
      std::optional<Access> access = accesses.of(op);
      if (!access || !isGlobal(*access))
        return;
      if (access->reads)
        (isOfKnownBase(*access) ? known : unknown).push_back(*access);
      if (isa<LLVM::StoreOp>(op))
        stores.push_back(*access);
    });
  }

  SmallVector<LLVM::StoreOp> run(Refusal *refusal);

private:
  StringRef obstacleOf(const Access &store);
  bool isWrittenTwice(const Access &store) const;

  Accesses accesses;
  SmallVector<Access> stores;
  SmallVector<Access> known, unknown; ///< reads of a known and of an unknown base
};

/// Returns whether the address depends on values that the loop carries.
bool movesIn(Operation *loop, const Affine &address) {
  return llvm::any_of(address.summands, [&](const Affine::Summand &summand) {
    auto argument = dyn_cast<BlockArgument>(summand.variable.value);
    return argument && argument.getOwner()->getParentOp() == loop;
  });
}

/// Returns whether the address changes with every loop around the store.
bool movesInLoops(const Access &store) {
  for (Operation *op = store.op->getParentOp(); !isa<grain::ThreadsOp, grain::KernelOp>(op);
       op = op->getParentOp()) {
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      continue;
    if (auto region = dyn_cast<scf::ExecuteRegionOp>(op);
        region && region.getRegion().hasOneBlock())
      continue;
    if (!isa<scf::ForOp, scf::WhileOp>(op) || !movesIn(op, *store.offset))
      return false;
  }
  return true;
}

bool Streaming::isWrittenTwice(const Access &store) const {
  return llvm::any_of(stores, [&](const Access &other) {
    return other.op != store.op && accesses.mustAlias(store, other) &&
           !areExclusive(store.op, other.op);
  });
}

/// Returns why a store is not marked, as one clause; empty if it is marked.
StringRef Streaming::obstacleOf(const Access &store) {
  if (store.isOrdered)
    return "it is volatile or atomic";
  if (store.kind != Base::Parameter && store.kind != Base::Variable)
    return "it is not known where it points";
  if (!unknown.empty())
    return "the kernel reads memory of which it is not known where it lies";
  if (llvm::any_of(known, [&](const Access &read) { return read.base == store.base; }))
    return "the kernel reads what it is stored through";
  if (!store.offset || accesses.isSameForAllThreads(store))
    return "neighbouring threads are not known to store to different addresses";
  if (!movesInLoops(store))
    return "the address may come again in a loop";
  if (isWrittenTwice(store))
    return "another store writes the same address";
  return "";
}

SmallVector<LLVM::StoreOp> Streaming::run(Refusal *refusal) {
  SmallVector<LLVM::StoreOp> streaming;
  const Access *first = nullptr;
  StringRef obstacle;
  for (const Access &store : stores) {
    StringRef reason = obstacleOf(store);
    if (reason.empty())
      streaming.push_back(cast<LLVM::StoreOp>(store.op));
    else if (!first && store.kind != Base::Stack)
      std::tie(first, obstacle) = std::tuple(&store, reason);
  }
  if (streaming.empty() && refusal && first)
    static_cast<void>(refuse(*refusal, first->op, RefusalKind::NothingStreams,
                             ("no store can be nontemporal; of the first, " + obstacle).str()));
  return streaming;
}

} // namespace

SmallVector<LLVM::StoreOp> regrain::findStreaming(grain::KernelOp kernel, Refusal *refusal) {
  if (refusal)
    static_cast<void>(
        refuse(*refusal, kernel, RefusalKind::NothingStreams, "the kernel stores nothing"));
  return Streaming(kernel).run(refusal);
}

LogicalResult regrain::streamStores(grain::KernelOp kernel, Refusal &refusal) {
  refusal.stage = "stream-stores";
  SmallVector<LLVM::StoreOp> streaming = findStreaming(kernel, &refusal);
  for (LLVM::StoreOp store : streaming)
    store.setNontemporal(true);
  return success(!streaming.empty());
}
