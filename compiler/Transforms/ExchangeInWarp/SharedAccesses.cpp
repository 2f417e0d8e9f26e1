//===- SharedAccesses.cpp - Accesses to shared arrays, by lane ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/ExchangeInWarp/SharedAccesses.h"

#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/TypeLayout.h"

using namespace mlir;
using namespace regrain;

Type SharedAccess::type() const {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getValue().getType();
  return op->getResult(0).getType();
}

Value SharedAccess::address() const {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr();
  return cast<LLVM::LoadOp>(op).getAddr();
}

SmallVector<Operation *> regrain::sharedArraysOf(grain::ThreadsOp threads) {
  SmallVector<Operation *> arrays;
  for (Operation &op : *threads->getBlock())
    if (isa<grain::SharedOp, grain::DynamicSharedOp>(op))
      arrays.push_back(&op);
  return arrays;
}

static bool addsToAddress(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op);
}

template <typename Op> static bool isPlain(Op op) {
  return !op.getVolatile_() && op.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

static std::optional<Refusal> follow(Value address, Value array,
                                     std::vector<SharedAccess> &accesses) {
  for (OpOperand &use : address.getUses()) {
    Operation *user = use.getOwner();
    if (addsToAddress(user) && use.getOperandNumber() == 0) {
      if (auto refusal = follow(user->getResult(0), array, accesses))
        return refusal;
      continue;
    }
    auto load = dyn_cast<LLVM::LoadOp>(user);
    auto store = dyn_cast<LLVM::StoreOp>(user);
    if (!load && !(store && &use == &store.getAddrMutable()))
      return refuse(user, RefusalKind::ExchangePattern,
                    "the address of a shared array is used for something other than a load or a "
                    "store at a known place in it");
    if (!(load ? isPlain(load) : isPlain(store)))
      return refuse(user, RefusalKind::ExchangePattern,
                    "an access to a shared array is volatile or atomic");
    accesses.push_back({user, array});
  }
  return std::nullopt;
}

/// Refuses functions that may name dynamic shared memory themselves.
static std::optional<Refusal> checkCallees(grain::ThreadsOp threads) {
  std::optional<Refusal> refusal;
  threads.walk([&](LLVM::CallOp call) {
    CalleeKind kind = kindOf(call);
    if (kind == CalleeKind::PlainFunction || kind == CalleeKind::Function)
      refusal = refuse(call, RefusalKind::ExchangePattern,
                       "a function that is not inlined may use the dynamic shared memory");
    return refusal ? WalkResult::interrupt() : WalkResult::advance();
  });
  return refusal;
}

std::optional<Refusal> regrain::findSharedAccesses(grain::ThreadsOp threads,
                                                   std::vector<SharedAccess> &accesses) {
  llvm::DenseMap<int64_t, Value> dynamic; ///< by copy
  for (Operation *op : sharedArraysOf(threads)) {
    Value array = op->getResult(0);
    if (auto named = dyn_cast<grain::DynamicSharedOp>(op))
      array = dynamic.try_emplace(named.getCopy(), array).first->second;
    if (auto refusal = follow(op->getResult(0), array, accesses))
      return refusal;
  }
  return dynamic.empty() ? std::nullopt : checkCallees(threads);
}

static std::optional<LaneElements> elementsIn(const SharedAccess &access, LaneValues &values) {
  DataLayout layout = DataLayout::closest(access.op);
  std::optional<TypeLayout> element = layoutOf(access.type(), layout);
  if (!element)
    return std::nullopt;
  std::optional<AddressSum> sum = addressSumOf(access.address(), layout);
  std::optional<SmallVector<int64_t>> offsets = sum ? values.offsetsOf(*sum) : std::nullopt;
  if (!offsets)
    return std::nullopt;
  int64_t end = std::numeric_limits<int64_t>::max();
  if (auto array = access.array.getDefiningOp<grain::SharedOp>())
    if (std::optional<TypeLayout> whole = layoutOf(array.getType(), layout))
      end = whole->size;
  LaneSet lanes = values.lanesAt(access.op);
  LaneElements elements;
  for (auto [lane, offset] : llvm::enumerate(*offsets)) {
    bool touches = (lanes & laneBit(lane)) && offset >= 0 && offset <= end - element->size;
    elements.push_back(touches ? std::optional(offset) : std::nullopt);
  }
  return elements;
}

std::optional<WarpElements> regrain::elementsOf(const SharedAccess &access,
                                                std::vector<LaneValues> &warps) {
  WarpElements elements;
  for (LaneValues &values : warps) {
    std::optional<LaneElements> own = elementsIn(access, values);
    if (!own)
      return std::nullopt;
    elements.push_back(std::move(*own));
  }
  return elements;
}

static void eraseUnused(Value address) {
  for (Operation *user : llvm::make_early_inc_range(address.getUsers())) {
    if (!addsToAddress(user))
      continue;
    eraseUnused(user->getResult(0));
    if (user->use_empty())
      user->erase();
  }
}

void regrain::eraseUnusedArrays(grain::ThreadsOp threads) {
  for (Operation *array : sharedArraysOf(threads)) {
    eraseUnused(array->getResult(0));
    if (array->use_empty())
      array->erase();
  }
}
