//===- BranchSides.cpp - Which side of a condition is jumped to -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/BranchSides.h"
#include "compiler/Target/NVPTX/BackEnd/OpcodesByName.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

struct Branches {
  unsigned ifTrue, ifFalse, always;

  explicit Branches(const TargetInstrInfo &instructions)
      : ifTrue(opcodeOf(instructions, "CBranch")), ifFalse(opcodeOf(instructions, "CBranchOther")),
        always(opcodeOf(instructions, "GOTO")) {}

  /// Returns the branch on the opposite condition; 0 if this is no conditional branch.
  [[nodiscard]] unsigned oppositeOf(unsigned opcode) const {
    return opcode == ifTrue ? ifFalse : opcode == ifFalse ? ifTrue : 0;
  }
};

/// Returns whether the block is one side of a condition in `head`.
bool isSideOf(const MachineBasicBlock &block, const MachineBasicBlock &head) {
  return block.pred_size() == 1 && *block.pred_begin() == &head && block.succ_size() == 1;
}

class JumpToTrueSides final : public MachineFunctionPass {
public:
  static char ID;
  JumpToTrueSides() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
    Branches branches(instructions);
    bool hasChanged = false;
    for (MachineBasicBlock &head : function)
      if (MachineInstr *branch = branchOver(head, branches)) {
        MachineBasicBlock *taken = branch->getOperand(1).getMBB();
        MachineBasicBlock &next = *std::next(head.getIterator());
        branch->setDesc(instructions.get(branches.oppositeOf(branch->getOpcode())));
        branch->getOperand(1).setMBB(&next);
        BuildMI(&head, branch->getDebugLoc(), instructions.get(branches.always)).addMBB(taken);
        hasChanged = true;
      }
    return hasChanged;
  }

private:
  /// Returns the only branch at the end of `head`, if it jumps over the true side to the other one.
  static MachineInstr *branchOver(MachineBasicBlock &head, const Branches &branches) {
    auto next = std::next(head.getIterator());
    auto branch = head.getFirstTerminator();
    if (next == head.getParent()->end() || branch == head.end() ||
        std::next(branch) != head.end() || !branches.oppositeOf(branch->getOpcode()))
      return nullptr;
    const MachineBasicBlock &taken = *branch->getOperand(1).getMBB();
    if (&taken == &*next || !isSideOf(*next, head) || !isSideOf(taken, head) ||
        *next->succ_begin() != *taken.succ_begin())
      return nullptr;
    const BasicBlock *block = head.getBasicBlock();
    auto *condition = block ? dyn_cast<BranchInst>(block->getTerminator()) : nullptr;
    bool isInverted = condition && condition->isConditional() &&
                      condition->getSuccessor(0) == next->getBasicBlock();
    return isInverted ? &*branch : nullptr;
  }
};

char JumpToTrueSides::ID = 0;

} // namespace

MachineFunctionPass *createJumpToTrueSides() { return new JumpToTrueSides(); }

} // namespace regrain::nvptx
