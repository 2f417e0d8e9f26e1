//===- Convergence.cpp - Operations that threads do together --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Convergence.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using regrain::Convergence;

LLVM::LLVMFuncOp regrain::calleeOf(LLVM::CallOp call) {
  FlatSymbolRefAttr callee = call.getCalleeAttr();
  if (!callee)
    return {};
  return SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, callee);
}

static bool saysNoMemory(LLVM::LLVMFuncOp function, bool inaccessibleToo) {
  LLVM::MemoryEffectsAttr memory = function.getMemoryAttr();
  auto none = LLVM::ModRefInfo::NoModRef;
  return memory && memory.getOther() == none && memory.getArgMem() == none &&
         (!inaccessibleToo || memory.getInaccessibleMem() == none);
}

/// A function without parameters that touches no memory reads a register of
/// the running thread; nothing else could it return but a constant.
static bool readsRegister(LLVM::LLVMFuncOp function) {
  return function.getFunctionType().getParams().empty();
}

bool regrain::isPureCall(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  return callee && !callee.getConvergent().value_or(false) && !readsRegister(callee) &&
         saysNoMemory(callee, /*inaccessibleToo=*/true);
}

bool regrain::touchesNoMemory(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = calleeOf(call);
  return callee && saysNoMemory(callee, /*inaccessibleToo=*/false);
}

bool regrain::hasEffect(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return !isPureCall(call);
  return !isMemoryEffectFree(op);
}

/// Intrinsics that synchronise or name lanes, but whose declaration does not
/// say that they concern a warp alone.
static bool concernsWarp(StringRef intrinsic) {
  constexpr StringLiteral prefixes[] = {"nvvm.bar.warp.sync",
                                        "nvvm.activemask",
                                        "nvvm.read.ptx.sreg.laneid",
                                        "nvvm.read.ptx.sreg.lanemask",
                                        "nvvm.shfl.",
                                        "nvvm.vote.",
                                        "nvvm.match.",
                                        "nvvm.redux.",
                                        "nvvm.wmma.",
                                        "nvvm.mma.",
                                        "nvvm.ldmatrix."};
  return llvm::any_of(prefixes, [&](StringRef prefix) { return intrinsic.starts_with(prefix); });
}

/// Registers that tell how the launch was laid out on the hardware.
static bool namesWarpOfBlock(StringRef intrinsic) {
  return intrinsic.starts_with("nvvm.read.ptx.sreg.warpid") ||
         intrinsic.starts_with("nvvm.read.ptx.sreg.nwarpid") ||
         intrinsic.starts_with("nvvm.read.ptx.sreg.cluster") ||
         intrinsic.starts_with("nvvm.read.ptx.sreg.nclusterid");
}

static Convergence convergenceOfCall(LLVM::CallOp call) {
  LLVM::LLVMFuncOp callee = regrain::calleeOf(call);
  if (!callee)
    return Convergence::Unknown;
  if (namesWarpOfBlock(callee.getName()))
    return Convergence::Unknown;
  if (concernsWarp(callee.getName()))
    return Convergence::Warp;
  // LLVM's declaration says more than the instruction does.
  if (callee.getName().starts_with("nvvm.nanosleep"))
    return Convergence::None;
  // The register may be the lane.
  if (readsRegister(callee) && saysNoMemory(callee, /*inaccessibleToo=*/true))
    return Convergence::Warp;
  if (!callee.getConvergent().value_or(false))
    return Convergence::None;
  return saysNoMemory(callee, /*inaccessibleToo=*/false) ? Convergence::Warp
                                                            : Convergence::Unknown;
}

static Convergence convergenceOfNVVM(Operation *op) {
  if (isa<NVVM::WarpSizeOp, NVVM::ClockOp, NVVM::Clock64Op, NVVM::RcpApproxFtzF32Op,
          NVVM::CpAsyncOp, NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(op))
    return Convergence::None;
  if (isa<NVVM::LaneIdOp, NVVM::ShflOp, NVVM::VoteBallotOp, NVVM::SyncWarpOp, NVVM::ReduxOp,
          NVVM::MmaOp, NVVM::WMMALoadOp, NVVM::WMMAMmaOp, NVVM::WMMAStoreOp, NVVM::LdMatrixOp>(op))
    return Convergence::Warp;
  return Convergence::Unknown;
}

Convergence regrain::convergenceOf(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return convergenceOfCall(call);
  if (isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return convergenceOfNVVM(op);
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getVolatile_() ? Convergence::Warp : Convergence::None;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getVolatile_() ? Convergence::Warp : Convergence::None;
  if (isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp, LLVM::InvokeOp>(op))
    return Convergence::Unknown;
  return Convergence::None;
}

Operation *regrain::findConvergent(Operation *root, Convergence least) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (convergenceOf(op) < least)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
