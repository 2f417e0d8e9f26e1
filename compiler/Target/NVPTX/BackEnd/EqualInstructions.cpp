//===- EqualInstructions.cpp - Values that several blocks compute ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/EqualInstructions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the registers of the class hold numbers with a fraction.
bool holdsFractions(const TargetRegisterInfo &target, const TargetRegisterClass &registers) {
  return StringRef(target.getRegClassName(&registers)).starts_with("Float");
}

bool readsRegisters(const MachineInstr &instruction) {
  return any_of(instruction.uses(),
                [](const MachineOperand &operand) { return operand.isReg() && operand.getReg(); });
}

class JoinEqualInstructions final : public MachineFunctionPass {
public:
  static char ID;
  JoinEqualInstructions() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    usage.addRequired<MachineDominatorTreeWrapperPass>();
    usage.addPreserved<MachineDominatorTreeWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    MachineDominatorTree &tree = getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
    registers = &function.getRegInfo();
    hasChanged = false;
    raiseConstants(function, tree);
    Known known;
    joinFrom(*tree.getRootNode(), known);
    return hasChanged;
  }

private:
  using Known = ScopedHashTable<MachineInstr *, Register, MachineInstrExpressionTrait>;

  /// Moves one of equal constants to the block that dominates all of them.
  void raiseConstants(MachineFunction &function, MachineDominatorTree &tree) {
    MapVector<MachineInstr *, SmallVector<MachineInstr *, 4>,
              DenseMap<MachineInstr *, unsigned, MachineInstrExpressionTrait>>
        equal;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block)
        if (computesValue(instruction, *registers) && !readsRegisters(instruction))
          equal[&instruction].push_back(&instruction);
    for (auto &[first, all] : equal) {
      MachineBasicBlock *above = first->getParent();
      for (MachineInstr *instruction : all)
        above = tree.findNearestCommonDominator(above, instruction->getParent());
      if (any_of(all, [&](MachineInstr *one) { return one->getParent() == above; }))
        continue;
      first->moveBefore(&*above->getFirstTerminator());
      first->setDebugLoc(DebugLoc());
      hasChanged = true;
    }
  }

  /// Replaces what is known at the node's block, in it and in those that it dominates.
  void joinFrom(MachineDomTreeNode &node, Known &known) {
    Known::ScopeTy scope(known);
    for (MachineInstr &instruction : make_early_inc_range(*node.getBlock())) {
      if (!computesValue(instruction, *registers))
        continue;
      Register result = instruction.getOperand(0).getReg();
      Register earlier = known.lookup(&instruction);
      if (!earlier)
        known.insert(&instruction, result);
      else if (registers->constrainRegClass(earlier, registers->getRegClass(result)))
        replace(instruction, earlier);
    }
    for (MachineDomTreeNode *child : node)
      joinFrom(*child, known);
  }

  void replace(MachineInstr &instruction, Register earlier) {
    registers->replaceRegWith(instruction.getOperand(0).getReg(), earlier);
    registers->clearKillFlags(earlier);
    instruction.eraseFromParent();
    hasChanged = true;
  }

  MachineRegisterInfo *registers = nullptr;
  bool hasChanged = false;
};

char JoinEqualInstructions::ID = 0;

} // namespace

bool computesValue(const MachineInstr &instruction, const MachineRegisterInfo &registers) {
  if (instruction.isPHI() || instruction.isPosition() || instruction.isImplicitDef() ||
      instruction.isKill() || instruction.isCopy() || instruction.isInlineAsm() ||
      instruction.isDebugInstr() || instruction.isCall() || instruction.isTerminator() ||
      instruction.isConvergent() || instruction.mayLoadOrStore() ||
      instruction.hasUnmodeledSideEffects() || instruction.getNumExplicitDefs() != 1)
    return false;
  if (any_of(instruction.operands(), [](const MachineOperand &operand) {
        return operand.isReg() && operand.getReg() && !operand.getReg().isVirtual();
      }))
    return false;
  return readsRegisters(instruction) ||
         !holdsFractions(*registers.getTargetRegisterInfo(),
                         *registers.getRegClass(instruction.getOperand(0).getReg()));
}

Pass *createJoinEqualInstructions() { return new JoinEqualInstructions(); }

} // namespace regrain::nvptx
