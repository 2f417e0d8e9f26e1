//===- WarpBarriers.cpp - Barriers of blocks that are one warp ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/WarpBarriers.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/FlowPreserved.h"
#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <array>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The first compute capability whose lanes wait at a warp's barrier wherever they come from.
constexpr unsigned firstWithOwnCounters = 70;

SmallVector<IntrinsicInst *> barriersOf(Function &kernel) {
  SmallVector<IntrinsicInst *> barriers;
  for (Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::nvvm_barrier0)
      barriers.push_back(call);
  return barriers;
}

/// Returns whether the instruction is a barrier that has a name. Text of assembly may have one, or
/// may end a thread, as an early return does.
bool keepsBarriers(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (const auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return any_of(std::array{"bar", "exit"}, [&](const char *opcode) {
      return StringRef(assembly->getAsmString()).contains(opcode);
    });
  const auto *intrinsic = dyn_cast<IntrinsicInst>(call);
  if (!intrinsic)
    return false;
  StringRef name = intrinsic->getCalledFunction()->getName();
  return name.starts_with("llvm.nvvm.bar.sync") ||
         (name.consume_front("llvm.nvvm.barrier") && !name.starts_with("0"));
}

/// Returns the basic blocks that threads may reach without others: those between a place where
/// threads part, and the one where they meet again.
BasicBlocks findParted(Function &kernel, const PostDominatorTree &meetings) {
  BasicBlocks parted;
  for (const BasicBlock *block : findPartings(kernel)) {
    const DomTreeNode *node = meetings.getNode(block);
    const DomTreeNode *next = node ? node->getIDom() : nullptr;
    const BasicBlock *meeting = next ? next->getBlock() : nullptr;
    BasicBlocks seen;
    SmallVector<const BasicBlock *> pending(successors(block));
    while (!pending.empty()) {
      const BasicBlock *reached = pending.pop_back_val();
      if (reached != meeting && seen.insert(reached).second)
        append_range(pending, successors(reached));
    }
    parted.insert(seen.begin(), seen.end());
  }
  return parted;
}

bool allReachTogether(ArrayRef<IntrinsicInst *> barriers, Function &kernel,
                      FunctionAnalysisManager &analyses) {
  BasicBlocks parted = findParted(kernel, analyses.getResult<PostDominatorTreeAnalysis>(kernel));
  return none_of(barriers, [&](const IntrinsicInst *barrier) {
    return parted.contains(barrier->getParent());
  });
}

/// Returns the mask of the threads of a block.
Value *maskOf(Function &kernel) {
  IRBuilder<> builder(kernel.getContext());
  BasicBlock &entry = kernel.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  constexpr uint32_t all = ~uint32_t(0);
  if (annotation(kernel, "reqntidx"))
    return builder.getInt32(all >> (warpThreads - boundThreads(kernel)));
  auto size = [&](Intrinsic::ID id) -> Value * { return builder.CreateIntrinsic(id, {}, {}); };
  Value *threads =
      builder.CreateNUWMul(builder.CreateNUWMul(size(Intrinsic::nvvm_read_ptx_sreg_ntid_x),
                                                size(Intrinsic::nvvm_read_ptx_sreg_ntid_y)),
                           size(Intrinsic::nvvm_read_ptx_sreg_ntid_z));
  Value *missing = builder.CreateNUWSub(builder.getInt32(warpThreads), threads);
  return builder.CreateLShr(builder.getInt32(all), missing);
}

} // namespace

PreservedAnalyses WarpBarriers::run(Function &kernel, FunctionAnalysisManager &analyses) {
  unsigned threads = kernel.isDeclaration() ? 0 : boundThreads(kernel);
  if (!threads || threads > warpThreads || capability < firstWithOwnCounters)
    return PreservedAnalyses::all();
  SmallVector<IntrinsicInst *> barriers = barriersOf(kernel);
  if (barriers.empty() || any_of(instructions(kernel), keepsBarriers) ||
      !allReachTogether(barriers, kernel, analyses))
    return PreservedAnalyses::all();
  Value *mask = maskOf(kernel);
  for (IntrinsicInst *barrier : barriers) {
    IRBuilder<>(barrier).CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {mask});
    barrier->eraseFromParent();
  }
  return flowPreserved(/*isChanged=*/true);
}

} // namespace regrain::nvptx
