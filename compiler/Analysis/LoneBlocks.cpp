//===- LoneBlocks.cpp - Blocks that work alone ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/LoneBlocks.h"

#include "compiler/Analysis/Access.h"
#include "compiler/Analysis/Interaction.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace regrain;

/// Returns whether a call neither reads what tells launches apart, such as the time or the number
/// of the multiprocessor, nor orders accesses, nor is unknown.
static bool worksAlone(LLVM::CallOp call) {
  if (isPureCall(call))
    return true;
  switch (kindOf(call)) {
  case CalleeKind::Math:
  case CalleeKind::Copy:
  case CalleeKind::CachedLoad:
  case CalleeKind::AddressQuery:
  case CalleeKind::Exchange:
  case CalleeKind::Vote:
  case CalleeKind::Match:
  case CalleeKind::Matrix:
  case CalleeKind::PlainFunction: // it would be inlined if it read the size of the grid
    return true;
  case CalleeKind::Sleep: // of threads, or a hint to another launch
    return touchesNoMemory(call);
  default:
    return false;
  }
}

static bool isOfBlock(const std::optional<Access> &access) {
  return access && (access->kind == Base::Shared || access->kind == Base::DynamicShared ||
                    access->kind == Base::Stack);
}

Operation *regrain::findLinkToBlocks(grain::KernelOp kernel) {
  Accesses accesses(kernel);
  Operation *found = nullptr;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Interaction interaction = interactionOf(op);
    bool isAlone = interaction.convergence != Convergence::Unknown;
    if (isa<grain::GridSizeOp>(op))
      isAlone = op->use_empty();
    else if (auto call = dyn_cast<LLVM::CallOp>(op))
      isAlone &= worksAlone(call);
    else if (isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
      isAlone &= !interaction.seesOthers && !isa<NVVM::ClockOp, NVVM::Clock64Op>(op);
    else if (interaction.seesOthers || interaction.publishes)
      isAlone &= isOfBlock(accesses.of(op));
    if (isAlone)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}
