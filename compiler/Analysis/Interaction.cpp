//===- Interaction.cpp - What threads do with each other ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Interaction.h"

#include "compiler/Analysis/ConstantMemory.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace regrain;

static constexpr Interaction unknown = {Convergence::Unknown, true, true, true, true};

static bool hasUsedResult(Operation *op) {
  return llvm::any_of(op->getResults(), [](Value result) { return !result.use_empty(); });
}

/// Returns the interaction of an operation that each thread performs by itself on memory that
/// others share.
static Interaction ofAtomic(Operation *op, bool isOfBlock) {
  bool isUsed = hasUsedResult(op);
  return {Convergence::None, isUsed, isUsed, true, isOfBlock};
}

/// An operation without a scope has system scope.
static bool isWide(std::optional<StringRef> scope) { return !scope || *scope == "device"; }

static Interaction ofCall(LLVM::CallOp call) {
  if (isPureCall(call))
    return {};
  Convergence convergence = convergenceOf(call);
  if (convergence == Convergence::Unknown)
    return unknown;
  switch (kindOf(call)) {
  case CalleeKind::Math:
  case CalleeKind::Copy:
  case CalleeKind::CachedLoad:
  case CalleeKind::AddressQuery:
    return {convergence, false, false, false};
  case CalleeKind::Register:
  case CalleeKind::Clock:
  case CalleeKind::Exchange:
  case CalleeKind::Vote:
  case CalleeKind::Match:
  case CalleeKind::Matrix:
    // The values that the lanes exchange have been computed by the same code.
    return {convergence, true, false, false};
  case CalleeKind::Sleep:
    // What lets other launches run has no use for waiting for a thread.
    return {convergence, false, false, !touchesNoMemory(call), false};
  case CalleeKind::Fence:
    return {convergence, false, false, true, false};
  case CalleeKind::Service: {
    // Memory may be free because another thread has freed it.
    bool isUsed = hasUsedResult(call);
    return {convergence, isUsed, isUsed, false, false};
  }
  case CalleeKind::Atomic: {
    Interaction atomic = ofAtomic(call, /*isOfBlock=*/true);
    atomic.convergence = convergence;
    return atomic;
  }
  case CalleeKind::Assembly:
  case CalleeKind::Function:
  case CalleeKind::Unknown: {
    // Besides what lanes do together, the operation may read memory.
    bool looks = convergence == Convergence::None || !touchesNoMemory(call);
    return {convergence, true, looks, true, kindOf(call) != CalleeKind::Assembly};
  }
  case CalleeKind::PlainFunction:
    // Each thread has its own stack and heap objects, so their addresses differ as numbers.
    return {convergence, true, false, false, false};
  case CalleeKind::Instruction:
    return {convergence, true, convergence == Convergence::None, true, true};
  }
  return unknown;
}

template <typename Op> static Interaction ofAccess(Op op, bool isLoad) {
  bool isVolatile = op.getVolatile_();
  if (!isVolatile && op.getOrdering() == LLVM::AtomicOrdering::not_atomic)
    return {};
  return {isVolatile ? Convergence::Warp : Convergence::None, isLoad, isLoad, true,
          !isWide(op.getSyncscope())};
}

static Interaction ofNVVM(Operation *op) {
  if (isa<NVVM::WarpSizeOp, NVVM::RcpApproxFtzF32Op>(op))
    return {};
  if (isa<NVVM::ClockOp, NVVM::Clock64Op>(op))
    return {Convergence::None, true, false, false};
  if (isa<NVVM::CpAsyncOp, NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op))
    return {Convergence::None, false, false, true, true};
  if (isa<NVVM::LaneIdOp, NVVM::ShflOp, NVVM::VoteBallotOp, NVVM::SyncWarpOp, NVVM::ReduxOp,
          NVVM::MmaOp, NVVM::WMMALoadOp, NVVM::WMMAMmaOp, NVVM::WMMAStoreOp, NVVM::LdMatrixOp>(op))
    return {Convergence::Warp, true, false, true};
  return unknown;
}

/// Returns true if the address is that of the thread's own memory, which differs from thread to
/// thread as a number.
static bool isOwnAddress(LLVM::PtrToIntOp op) {
  return baseOf(op.getArg()).getDefiningOp<LLVM::AllocaOp>() != nullptr;
}

Interaction regrain::interactionOf(Operation *op) {
  if (isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return ofNVVM(op);
  if (isa_and_nonnull<grain::GrainDialect>(op->getDialect()))
    return {};
  return llvm::TypeSwitch<Operation *, Interaction>(op)
      .Case([](LLVM::CallOp call) { return ofCall(call); })
      .Case([](LLVM::LoadOp load) { return ofAccess(load, /*isLoad=*/true); })
      .Case([](LLVM::StoreOp store) { return ofAccess(store, /*isLoad=*/false); })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [](auto atomic) { return ofAtomic(atomic, !isWide(atomic.getSyncscope())); })
      .Case([](LLVM::FenceOp fence) {
        return Interaction{Convergence::None, false, false, true, !isWide(fence.getSyncscope())};
      })
      .Case([](LLVM::PtrToIntOp cast) {
        return Interaction{Convergence::None, isOwnAddress(cast), false, false};
      })
      .Case<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp, LLVM::InvokeOp>(
          [](Operation *) { return unknown; })
      .Case<LLVM::AllocaOp, LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, LLVM::Trap,
            LLVM::NoAliasScopeDeclOp, LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp>(
          [](Operation *) { return Interaction(); })
      .Default([](Operation *other) {
        bool isKnown = other->getNumRegions() != 0 || isMemoryEffectFree(other);
        return isKnown ? Interaction() : Interaction{Convergence::None, true, true, true, true};
      });
}

bool regrain::onlyExchanges(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call)
    return isa<NVVM::LaneIdOp, NVVM::ShflOp, NVVM::VoteBallotOp, NVVM::ReduxOp>(op);
  CalleeKind kind = kindOf(call);
  bool hands = kind == CalleeKind::Assembly || kind == CalleeKind::Exchange ||
               kind == CalleeKind::Vote || kind == CalleeKind::Match;
  return hands && convergenceOf(call) == Convergence::Warp && touchesNoMemory(call);
}

Operation *regrain::findConvergent(Operation *root, Convergence least) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (interactionOf(op).convergence < least)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
