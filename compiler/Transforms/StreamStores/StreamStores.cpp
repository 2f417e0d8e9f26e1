//===- StreamStores.cpp - Stores past the caches --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/StreamStores/StreamStores.h"

#include "compiler/Analysis/Reuse.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace regrain;

namespace {

class Streaming {
public:
  explicit Streaming(grain::KernelOp kernel) : accesses(kernel) {
    kernel.walk([&](Operation *op) {
      auto call = dyn_cast<LLVM::CallOp>(op);
      bool isOfLanes = isa<NVVM::SyncWarpOp, NVVM::ShflOp>(op) || (call && touchesNoMemory(call));
      if (isOfLanes) // they meet, and read no memory
        return;
      std::optional<Access> access = accesses.of(op);
      if (!access || !mayBeGlobal(*access))
        return;
      if (access->reads)
        (hasKnownBase(*access) ? known : unknown).push_back(*access);
      if (isa<LLVM::StoreOp>(op))
        stores.push_back(*access);
    });
  }

  SmallVector<LLVM::StoreOp> find();
  Refusal whyNone(grain::KernelOp kernel);

private:
  std::optional<StringRef> objectionTo(const Access &store);
  bool isWrittenTwice(const Access &store) const;

  Accesses accesses;
  SmallVector<Access> stores;
  SmallVector<Access> known, unknown; ///< reads of a known and of an unknown base
};

bool Streaming::isWrittenTwice(const Access &store) const {
  return llvm::any_of(stores, [&](const Access &other) {
    return other.op != store.op && accesses.mustAlias(store, other) &&
           !areExclusive(store.op, other.op);
  });
}

/// Returns why a store is not marked, as one clause, or nothing if it is marked.
std::optional<StringRef> Streaming::objectionTo(const Access &store) {
  if (store.isOrdered)
    return "it is volatile or atomic";
  if (store.kind != Base::Parameter && store.kind != Base::Variable)
    return "its address is not known to be in global memory";
  if (!unknown.empty())
    return "the kernel reads through a pointer whose origin is unknown";
  if (llvm::any_of(known, [&](const Access &read) { return read.base == store.base; }))
    return "the kernel also reads through the pointer of the store";
  if (!store.offset || accesses.isSameForAllThreads(store))
    return "neighbouring threads are not known to store to different addresses";
  if (!movesInLoops(store))
    return "a loop may store to the same address again";
  if (isWrittenTwice(store))
    return "another store writes the same address";
  return std::nullopt;
}

SmallVector<LLVM::StoreOp> Streaming::find() {
  SmallVector<LLVM::StoreOp> streaming;
  for (const Access &store : stores)
    if (!objectionTo(store))
      streaming.push_back(cast<LLVM::StoreOp>(store.op));
  return streaming;
}

/// Returns what speaks against the first store to other memory than the stack, given that no store
/// can be marked.
Refusal Streaming::whyNone(grain::KernelOp kernel) {
  for (const Access &store : stores)
    if (std::optional<StringRef> objection = objectionTo(store);
        objection && store.kind != Base::Stack)
      return refuse(store.op, RefusalKind::NothingStreams,
                    "no store can be nontemporal; the first one cannot, because " + *objection);
  return refuse(kernel, RefusalKind::NothingStreams, "the kernel stores nothing");
}

} // namespace

SmallVector<LLVM::StoreOp> regrain::findStreaming(grain::KernelOp kernel) {
  return Streaming(kernel).find();
}

std::optional<Refusal> regrain::streamStores(grain::KernelOp kernel) {
  Streaming streaming(kernel);
  SmallVector<LLVM::StoreOp> stores = streaming.find();
  if (stores.empty())
    return streaming.whyNone(kernel);
  for (LLVM::StoreOp store : stores)
    store.setNontemporal(true);
  return std::nullopt;
}
