//===- LoopStarts.cpp - The constants that counters begin at --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/LoopStarts.h"

#include "compiler/Target/NVPTX/BackEnd/EqualInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

bool hasImmediate(const MachineInstr &instruction) {
  return any_of(instruction.explicit_uses(),
                [](const MachineOperand &operand) { return operand.isImm(); });
}

/// Returns whether the instruction compares two numbers, one of which is a constant. The operand
/// behind them, the predicate of the comparison, is an immediate as well.
bool comparesWithConstant(const MachineInstr &instruction, const MachineRegisterInfo &registers) {
  if (instruction.getNumExplicitOperands() != 4)
    return false;
  const MachineOperand &result = instruction.getOperand(0);
  return result.isReg() && result.isDef() && result.getReg().isVirtual() &&
         StringRef(registers.getTargetRegisterInfo()->getRegClassName(
             registers.getRegClass(result.getReg()))) == "Int1Regs" &&
         (instruction.getOperand(1).isImm() || instruction.getOperand(2).isImm());
}

/// Returns the operand for the value that the phi has behind `block`; nothing if there is none.
MachineOperand *valueFrom(MachineInstr &phi, const MachineBasicBlock &block) {
  for (unsigned index = 1; index < phi.getNumOperands(); index += 2)
    if (phi.getOperand(index + 1).getMBB() == &block)
      return &phi.getOperand(index);
  return nullptr;
}

class StartCountersNearby final : public MachineFunctionPass {
public:
  static char ID;
  StartCountersNearby() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    registers = &function.getRegInfo();
    bool hasChanged = false;
    for (MachineLoop *loop :
         getAnalysis<MachineLoopInfoWrapperPass>().getLI().getLoopsInPreorder()) {
      MachineBasicBlock *front = loop->getLoopPredecessor(), *latch = loop->getLoopLatch();
      if (front && latch)
        for (MachineInstr &phi : loop->getHeader()->phis())
          hasChanged |= counts(phi, *latch) && startIn(*front, phi);
    }
    return hasChanged;
  }

private:
  /// Returns whether the value of the next iteration is that of this one and a constant, and one of
  /// them is compared with a constant, so that the length of the loop may be one.
  bool counts(MachineInstr &phi, const MachineBasicBlock &latch) const {
    const MachineOperand *next = valueFrom(phi, latch);
    const MachineInstr *step = next ? registers->getVRegDef(next->getReg()) : nullptr;
    Register own = phi.getOperand(0).getReg();
    return step && computesValue(*step, *registers) && hasImmediate(*step) &&
           step->readsVirtualRegister(own) && (isCompared(own) || isCompared(next->getReg()));
  }

  bool isCompared(Register value) const {
    return any_of(registers->use_nodbg_instructions(value),
                  [&](const MachineInstr &user) { return comparesWithConstant(user, *registers); });
  }

  /// Gives the phi a copy of its initial constant at the end of `front`, if that stands elsewhere.
  bool startIn(MachineBasicBlock &front, MachineInstr &phi) {
    MachineOperand *start = valueFrom(phi, front);
    MachineInstr *constant = start ? registers->getVRegDef(start->getReg()) : nullptr;
    if (!constant || constant->getParent() == &front || constant->getNumExplicitOperands() != 2 ||
        !hasImmediate(*constant) || !computesValue(*constant, *registers))
      return false;
    MachineInstr *own = front.getParent()->CloneMachineInstr(constant);
    Register result = registers->cloneVirtualRegister(start->getReg());
    own->getOperand(0).setReg(result);
    own->setDebugLoc(DebugLoc());
    front.insert(front.getFirstTerminator(), own);
    start->setReg(result);
    return true;
  }

  MachineRegisterInfo *registers = nullptr;
};

char StartCountersNearby::ID = 0;

} // namespace

Pass *createStartCountersNearby() { return new StartCountersNearby(); }

} // namespace regrain::nvptx
