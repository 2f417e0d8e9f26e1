//===- DescendingLoops.cpp - Loops that count down ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/DescendingLoops.h"

#include "compiler/Target/NVPTX/BackEnd/OpcodesByName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The order that a comparison of integers tests, as the target numbers them.
enum Order : int64_t { Less = 2, AtMost = 3, Greater = 4, AtLeast = 5 };

constexpr int64_t oppositeOf(int64_t order) { return Less + AtLeast - order; }

class TestDescendingEnds final : public MachineFunctionPass {
public:
  static char ID;
  TestDescendingEnds() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    instructions = function.getSubtarget().getInstrInfo();
    registers = &function.getRegInfo();
    ifTrue = opcodeOf(*instructions, "CBranch");
    ifFalse = opcodeOf(*instructions, "CBranchOther");
    bool hasChanged = false;
    for (MachineLoop *loop :
         getAnalysis<MachineLoopInfoWrapperPass>().getLI().getLoopsInPreorder()) {
      SmallVector<MachineBasicBlock *> exiting;
      loop->getExitingBlocks(exiting);
      for (MachineBasicBlock *block : exiting)
        if (MachineInstr *branch = branchOf(*block))
          hasChanged |= testOpposite(*branch, *loop);
    }
    return hasChanged;
  }

private:
  /// Returns the conditional branch at the end of the block; nothing if there is none.
  MachineInstr *branchOf(MachineBasicBlock &block) const {
    auto isConditional = [&](const MachineInstr &each) {
      return each.getOpcode() == ifTrue || each.getOpcode() == ifFalse;
    };
    auto branch = find_if(block.terminators(), isConditional);
    return branch == block.terminators().end() ? nullptr : &*branch;
  }

  /// Returns what defines the register, behind copies.
  MachineInstr *definitionOf(Register value) const {
    while (value.isVirtual()) {
      MachineInstr *definition = registers->getVRegDef(value);
      bool isCopy = definition && definition->getNumExplicitOperands() == 2 &&
                    definition->getOperand(1).isReg() &&
                    (definition->isCopy() || nameOf(*definition).starts_with("MOV"));
      if (!isCopy)
        return definition;
      value = definition->getOperand(1).getReg();
    }
    return nullptr;
  }

  StringRef nameOf(const MachineInstr &instruction) const {
    return instructions->getName(instruction.getOpcode());
  }

  /// Returns the constant that the operand is; nothing if it is not one.
  std::optional<int64_t> constantOf(const MachineOperand &operand) const {
    if (operand.isImm())
      return operand.getImm();
    MachineInstr *definition = operand.isReg() ? definitionOf(operand.getReg()) : nullptr;
    bool isConstant = definition && definition->getNumExplicitOperands() == 2 &&
                      definition->getOperand(1).isImm() && nameOf(*definition).contains("MOV");
    return isConstant ? std::optional(definition->getOperand(1).getImm()) : std::nullopt;
  }

  /// Returns whether the operand is the value that a counter of the loop has behind its step, which
  /// is a constant below zero.
  bool descends(const MachineOperand &operand, const MachineLoop &loop) const {
    MachineInstr *step = operand.isReg() ? definitionOf(operand.getReg()) : nullptr;
    if (!step || step->getNumExplicitOperands() != 3)
      return false;
    bool isSum = nameOf(*step).starts_with("ADDi"),
         isDifference = nameOf(*step).starts_with("SUBi");
    if (!isSum && !isDifference)
      return false;
    auto isCounter = [&](const MachineOperand &before) {
      MachineInstr *phi = before.isReg() ? definitionOf(before.getReg()) : nullptr;
      return phi && phi->isPHI() && loop.contains(phi) &&
             any_of(phi->explicit_uses(), [&](const MachineOperand &next) {
               return next.isReg() && definitionOf(next.getReg()) == step;
             });
    };
    std::optional<int64_t> first = constantOf(step->getOperand(1)),
                           second = constantOf(step->getOperand(2));
    if (second && isCounter(step->getOperand(1)))
      return isSum ? *second < 0 : *second > 0;
    return isSum && first && *first < 0 && isCounter(step->getOperand(2));
  }

  /// Returns the comparison of integers that makes the predicate true while a counter of the loop
  /// that decreases is the lesser one; nothing if it is another one.
  MachineInstr *lessThan(Register predicate, const MachineLoop &loop) const {
    MachineInstr *comparison = definitionOf(predicate);
    if (!comparison || comparison->getNumExplicitOperands() != 4)
      return nullptr;
    StringRef name = nameOf(*comparison);
    if (!name.starts_with("SETP_s") && !name.starts_with("SETP_u"))
      return nullptr;
    int64_t order = comparison->getOperand(3).getImm();
    bool isLess = order == Less || order == AtMost,
         isGreater = order == Greater || order == AtLeast;
    bool isDescending = (isLess && descends(comparison->getOperand(1), loop)) ||
                        (isGreater && descends(comparison->getOperand(2), loop));
    return isDescending ? comparison : nullptr;
  }

  /// Lets a branch that stays in the loop while such a comparison holds test the opposite.
  bool testOpposite(MachineInstr &branch, const MachineLoop &loop) {
    bool jumpsBack = loop.contains(branch.getOperand(1).getMBB());
    if ((branch.getOpcode() == ifTrue) != jumpsBack)
      return false;
    MachineInstr *comparison = lessThan(branch.getOperand(0).getReg(), loop);
    if (!comparison)
      return false;
    MachineInstr *opposite = branch.getMF()->CloneMachineInstr(comparison);
    Register result = registers->cloneVirtualRegister(comparison->getOperand(0).getReg());
    opposite->getOperand(0).setReg(result);
    opposite->getOperand(3).setImm(oppositeOf(comparison->getOperand(3).getImm()));
    opposite->clearKillInfo();
    comparison->clearKillInfo();
    comparison->getParent()->insertAfter(comparison->getIterator(), opposite);
    Register old = branch.getOperand(0).getReg();
    branch.getOperand(0).setReg(result);
    branch.setDesc(instructions->get(jumpsBack ? ifFalse : ifTrue));
    if (old == comparison->getOperand(0).getReg() && registers->use_nodbg_empty(old))
      comparison->eraseFromParent();
    return true;
  }

  const TargetInstrInfo *instructions = nullptr;
  MachineRegisterInfo *registers = nullptr;
  unsigned ifTrue = 0, ifFalse = 0;
};

char TestDescendingEnds::ID = 0;

} // namespace

Pass *createTestDescendingEnds() { return new TestDescendingEnds(); }

} // namespace regrain::nvptx
