//===- HintLoads.cpp - What loads tell the caches -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/HintLoads/HintLoads.h"

#include "compiler/Analysis/Barriers.h"
#include "compiler/Analysis/Callee.h"
#include "compiler/Analysis/Reuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace regrain;

namespace {

/// Returns the coordinates that operations other than barriers read.
Dependence coordinatesRead(grain::KernelOp kernel, const Uniformity &uniformity) {
  Dependence read = Dependence::None;
  auto addFrom = [&](Block &body) {
    for (Value coordinate : body.getArguments())
      if (llvm::any_of(coordinate.getUsers(), [](Operation *user) { return !isBarrier(user); }))
        read = read | uniformity.of(coordinate);
  };
  kernel.walk([&](grain::BlocksOp blocks) { addFrom(blocks.getBody().front()); });
  kernel.walk([&](grain::ThreadsOp threads) { addFrom(threads.getBody().front()); });
  return read & (Dependence::Blocks | Dependence::Threads);
}

/// Returns whether a call writes nothing that a program can name.
bool writesNothing(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  return call && (touchesNoMemory(call) || kindOf(call) == CalleeKind::CachedLoad);
}

class Hints {
public:
  Hints(grain::KernelOp kernel, LoadHint hint)
      : kernel(kernel), hint(hint), accesses(kernel), uniformity(kernel),
        coordinates(coordinatesRead(kernel, uniformity)) {
    kernel.walk([&](Operation *op) {
      std::optional<Access> access = accesses.of(op);
      if (!access || !mayBeGlobal(*access) || writesNothing(op))
        return;
      if (isa<LLVM::LoadOp>(op))
        loads.push_back(*access);
      if (access->writes || access->isOrdered)
        others.push_back(*access);
    });
  }

  SmallVector<LLVM::LoadOp> find();
  Refusal whyNone();

private:
  std::optional<StringRef> objectionTo(const Access &load);
  std::optional<StringRef> findReuse(const Access &load);
  std::optional<StringRef> findWrite(const Access &load) const;
  bool mayRepeat(Value value) const;
  bool isLoadedBy(const Access &load, const Access &other);

  grain::KernelOp kernel;
  LoadHint hint;
  Accesses accesses;
  Uniformity uniformity;
  Dependence coordinates; ///< those that the kernel reads
  SmallVector<Access> loads;
  SmallVector<Access> others; ///< what writes, and what is volatile or atomic
};

/// Returns whether a thread may load by `other` what it or another thread loads by `load`.
bool Hints::isLoadedBy(const Access &load, const Access &other) {
  if (other.op == load.op || other.base != load.base || areExclusive(load.op, other.op))
    return false;
  std::optional<int64_t> stride = accesses.stridePerLane(load);
  std::optional<Affine> distance =
      other.offset ? addTimes(*other.offset, -1, *load.offset) : std::nullopt;
  if (!stride || !distance || !distance->summands.empty())
    return true;
  return distance->constant == 0 || std::abs(distance->constant) >= std::abs(*stride);
}

/// Returns whether two threads may have the same value although they differ in a coordinate on
/// which it depends: it is loaded, or a remainder. A loop whose ends are data still runs over
/// different addresses, so what it carries does not count.
bool Hints::mayRepeat(Value value) const {
  SetVector<Operation *> operations;
  auto add = [&](Value operand) {
    if (Operation *op = operand.getDefiningOp())
      operations.insert(op);
  };
  add(value);
  for (size_t i = 0; i < operations.size(); ++i) {
    Operation *op = operations[i];
    if (!overlap(uniformity.of(op->getResult(0)), Dependence::Blocks | Dependence::Threads))
      continue;
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
      return true;
    llvm::for_each(op->getOperands(), add);
  }
  return false;
}

/// Returns who else loads the data, as one clause; nothing if nobody does.
std::optional<StringRef> Hints::findReuse(const Access &load) {
  if (!load.offset || accesses.isSameForAllThreads(load))
    return "neighbouring threads are not known to load from different addresses";
  Dependence ofAddress = Dependence::None;
  for (const Affine::Summand &summand : load.offset->summands) {
    Value value = summand.variable.value;
    if (mayRepeat(value))
      return "its address is not a sum of products of coordinates";
    ofAddress = ofAddress | uniformity.of(value);
  }
  if ((coordinates & ofAddress) != coordinates)
    return "threads that differ in a coordinate load from the same address";
  if (!movesInLoops(load))
    return "a loop may load from the same address again";
  if (llvm::any_of(loads, [&](const Access &other) { return isLoadedBy(load, other); }))
    return "another load may access the same data";
  return std::nullopt;
}

/// Returns who may write the data, as one clause; nothing if it is proved that nobody does.
std::optional<StringRef> Hints::findWrite(const Access &load) const {
  bool isPromised = accesses.isRestricted(load);
  for (const Access &other : others) {
    if (!other.writes) {
      if (!isPromised)
        return "the kernel has volatile or atomic accesses, so another launch may write the data";
      continue;
    }
    if (!hasKnownBase(other))
      return "the kernel may write through a pointer of unknown origin, in a call or by a fence";
    if (!accesses.mayShareMemory(load, other))
      continue;
    if (other.base == load.base)
      return "the kernel also writes through the pointer of the load";
    if (!isPromised)
      return "the kernel writes memory that may be the same, as the pointer is not __restrict__";
  }
  return std::nullopt;
}

/// Returns why a load is not marked, as one clause, or nothing if it is marked.
std::optional<StringRef> Hints::objectionTo(const Access &load) {
  if (load.isOrdered)
    return "it is volatile or atomic";
  if (!isInGlobal(load))
    return "its address is not known to be in global memory";
  return hint == LoadHint::OnlyRead ? findWrite(load) : findReuse(load);
}

SmallVector<LLVM::LoadOp> Hints::find() {
  SmallVector<LLVM::LoadOp> found;
  for (const Access &load : loads)
    if (!objectionTo(load))
      found.push_back(cast<LLVM::LoadOp>(load.op));
  return found;
}

/// Returns what speaks against the first load from other memory than the stack, given that no load
/// can be marked.
Refusal Hints::whyNone() {
  StringRef what = hint == LoadHint::OnlyRead ? "no load is known to read what the launch does not "
                                                "write; the first one is not, because "
                                              : "no load is known to be the only one of its data; "
                                                "the first one is not, because ";
  for (const Access &load : loads)
    if (std::optional<StringRef> objection = objectionTo(load);
        objection && load.kind != Base::Stack)
      return refuse(load.op, RefusalKind::NothingHinted, Twine(what) + *objection);
  return refuse(kernel, RefusalKind::NothingHinted, "the kernel loads nothing from global memory");
}

} // namespace

SmallVector<LLVM::LoadOp> regrain::findLoads(grain::KernelOp kernel, LoadHint hint) {
  return Hints(kernel, hint).find();
}

std::optional<Refusal> regrain::hintLoads(grain::KernelOp kernel, LoadHint hint) {
  Hints hints(kernel, hint);
  SmallVector<LLVM::LoadOp> loads = hints.find();
  if (loads.empty())
    return hints.whyNone();
  for (LLVM::LoadOp load : loads)
    if (hint == LoadHint::OnlyRead)
      load.setInvariant(true);
    else
      load.setNontemporal(true);
  return std::nullopt;
}
