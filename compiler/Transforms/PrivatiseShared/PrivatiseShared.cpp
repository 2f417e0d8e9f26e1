//===- PrivatiseShared.cpp - A thread's own shared memory -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/PrivatiseShared/PrivatiseShared.h"

#include "compiler/Analysis/Intervals.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace regrain;

/// The bytes of all variables of a kernel: 32 registers.
constexpr int64_t maxBytes = 128;
/// The number of pairs of accesses compared in a kernel; no more places become variables beyond it.
constexpr size_t maxPairs = 16384;

namespace {

/// The accesses to one address that is the same whenever they run.
struct Place {
  SmallVector<Access> loads, stores;
  bool isSeen = true; ///< true if others read it
  const Access &any() const { return loads.empty() ? stores.front() : loads.front(); }
};

/// All accesses to one array.
struct Array {
  SmallVector<Access> loads, stores;
};

class Privatisation {
public:
  explicit Privatisation(grain::ThreadsOp threads)
      : threads(threads), accesses(threads->getParentOfType<grain::KernelOp>()) {}

  unsigned run();

private:
  bool follow(Value address, Array &array);
  std::vector<Array> findArrays();
  std::vector<Place> placesOf(const Array &array);
  bool meet(ArrayRef<Access> own, ArrayRef<Access> others, const Place &place);
  void keepInVariable(Place &place);
  void eraseUnused(Value address);

  grain::ThreadsOp threads;
  Accesses accesses;
  size_t pairsLeft = maxPairs;
};

Type typeOf(const Access &access) {
  if (auto store = dyn_cast<LLVM::StoreOp>(access.op))
    return store.getValue().getType();
  return access.op->getResult(0).getType();
}

/// Returns the outermost loop around `op`, or null.
Operation *loopAround(Operation *op) {
  Operation *loop = nullptr;
  for (Operation *parent = op->getParentOp(); !isa<grain::ThreadsOp>(parent);
       parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp>(parent))
      loop = parent;
  return loop;
}

bool addsToAddress(Operation *op) {
  return isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op);
}

/// Adds all accesses through `address`; returns false if it is used in another way.
bool Privatisation::follow(Value address, Array &array) {
  return llvm::all_of(address.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (addsToAddress(user))
      return use.getOperandNumber() == 0 && follow(user->getResult(0), array);
    auto store = dyn_cast<LLVM::StoreOp>(user);
    if (store ? &use != &store.getAddrMutable() : !isa<LLVM::LoadOp>(user))
      return false;
    std::optional<Access> access = accesses.of(user);
    if (!access || access->isOrdered || !threads->isAncestor(user))
      return false;
    (store ? array.stores : array.loads).push_back(*access);
    return true;
  });
}

/// Returns the arrays all of whose accesses are known. Dynamic shared memory is one array, whatever
/// names it; a callee can name it too.
std::vector<Array> Privatisation::findArrays() {
  bool isOpaque = accessesIn(threads, accesses).isOpaque;
  llvm::MapVector<int64_t, Array> dynamic;
  std::vector<Array> found;
  bool isDynamicKnown = !isOpaque;
  for (Operation &op : *threads->getBlock()) {
    if (auto shared = dyn_cast<grain::DynamicSharedOp>(op))
      isDynamicKnown &= follow(shared.getResult(), dynamic[shared.getCopy()]);
    Array array;
    if (isa<grain::SharedOp>(op) && follow(op.getResult(0), array))
      found.push_back(std::move(array));
  }
  if (isDynamicKnown)
    for (auto &[copy, array] : dynamic)
      found.push_back(std::move(array));
  return found;
}

/// Returns whether an access in `own` may alias one of `others` that does not belong to the place,
/// or any of `others` when another thread runs it.
bool Privatisation::meet(ArrayRef<Access> own, ArrayRef<Access> others, const Place &place) {
  auto isOfPlace = [&](const Access &access) {
    auto isSame = [&](const Access &member) { return member.op == access.op; };
    return llvm::any_of(place.loads, isSame) || llvm::any_of(place.stores, isSame);
  };
  if (own.size() * others.size() > pairsLeft)
    return true;
  pairsLeft -= own.size() * others.size();
  return llvm::any_of(others, [&](const Access &other) {
    bool isOwn = isOfPlace(other);
    return llvm::any_of(own, [&](const Access &access) {
      return accesses.mayAlias(access, other, Who::OtherThread) ||
             (!isOwn && accesses.mayAlias(access, other, Who::Same, loopAround(access.op)));
    });
  });
}

/// Returns the places of `array` that a variable can replace.
std::vector<Place> Privatisation::placesOf(const Array &array) {
  std::vector<Place> places;
  auto add = [&](const Access &access, SmallVector<Access> Place::*list) {
    Operation *loop = loopAround(access.op);
    if (!access.offset || (loop && !accesses.isInvariantIn(access, loop)))
      return;
    auto place = llvm::find_if(places, [&](const Place &candidate) {
      return accesses.mustAlias(candidate.any(), access) &&
             typeOf(candidate.any()) == typeOf(access);
    });
    if (place == places.end())
      place = places.emplace(places.end());
    ((*place).*list).push_back(access);
  };
  for (const Access &store : array.stores)
    add(store, &Place::stores);
  for (const Access &load : array.loads)
    add(load, &Place::loads);
  llvm::erase_if(places, [&](Place &place) {
    return place.loads.empty() || place.stores.empty() || meet(place.loads, array.stores, place);
  });
  for (Place &place : places)
    place.isSeen = meet(place.stores, array.loads, place);
  return places;
}

void Privatisation::keepInVariable(Place &place) {
  Type type = typeOf(place.any());
  OpBuilder builder = OpBuilder::atBlockBegin(&threads.getBody().front());
  Location location = threads.getLoc();
  Value one = builder.create<LLVM::ConstantOp>(location, builder.getI32IntegerAttr(1));
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value variable = builder.create<LLVM::AllocaOp>(location, pointer, type, one);
  Value zero = builder.create<LLVM::ZeroOp>(location, type);
  builder.create<LLVM::StoreOp>(location, zero, variable);
  for (const Access &access : place.loads) {
    builder.setInsertionPoint(access.op);
    Value value = builder.create<LLVM::LoadOp>(access.op->getLoc(), type, variable);
    access.op->getResult(0).replaceAllUsesWith(value);
    access.op->erase();
  }
  for (const Access &access : place.stores) {
    builder.setInsertionPoint(access.op);
    builder.create<LLVM::StoreOp>(access.op->getLoc(), cast<LLVM::StoreOp>(access.op).getValue(),
                                  variable);
    if (!place.isSeen)
      access.op->erase();
  }
}

/// Erases operations that only add to `address` and are unused.
void Privatisation::eraseUnused(Value address) {
  for (Operation *user : llvm::make_early_inc_range(address.getUsers())) {
    if (!addsToAddress(user))
      continue;
    eraseUnused(user->getResult(0));
    if (user->use_empty())
      user->erase();
  }
}

unsigned Privatisation::run() {
  std::vector<Place> chosen;
  int64_t bytes = 0;
  for (const Array &array : findArrays())
    for (Place &place : placesOf(array)) {
      bytes += *place.any().size;
      if (bytes <= maxBytes)
        chosen.push_back(std::move(place));
    }
  for (Place &place : chosen)
    keepInVariable(place);
  if (chosen.empty())
    return 0;
  SmallVector<Operation *> arrays;
  for (Operation &op : *threads->getBlock())
    if (isa<grain::SharedOp, grain::DynamicSharedOp>(op))
      arrays.push_back(&op);
  for (Operation *array : arrays) {
    eraseUnused(array->getResult(0));
    if (array->use_empty())
      array->erase();
  }
  return chosen.size();
}

} // namespace

unsigned regrain::privatiseShared(grain::KernelOp kernel) {
  unsigned count = 0;
  kernel.walk([&](grain::ThreadsOp threads) {
    count += Privatisation(threads).run();
    return WalkResult::skip();
  });
  return count;
}
