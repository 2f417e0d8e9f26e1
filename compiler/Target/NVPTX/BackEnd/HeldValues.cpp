//===- HeldValues.cpp - Values that loops hold for rare uses --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/HeldValues.h"

#include "compiler/Target/NVPTX/BackEnd/EqualInstructions.h"
#include "compiler/Target/NVPTX/BackEnd/RegisterLiveness.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The registers that a loop holds at least, of those that instructions name. ptxas needs some more
/// for constants and for loads ahead, so that a multiprocessor is no longer full of threads.
constexpr unsigned leastHeld = 48;
/// The most blocks that compute a value for themselves.
constexpr size_t mostCopies = 8;

class SinkHeldValues final : public MachineFunctionPass {
public:
  static char ID;
  SinkHeldValues() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    usage.addRequired<MachineDominatorTreeWrapperPass>();
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  using Places = MapVector<MachineBasicBlock *, SmallVector<MachineOperand *, 4>>;

  bool runOnMachineFunction(MachineFunction &function) override {
    tree = &getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
    loops = &getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    frequencies = &getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI();
    registers = &function.getRegInfo();
    if (loops->empty())
      return false;
    RegisterLiveness lives(function);
    liveness = &lives;
    bool hasChanged = false;
    for (MachineLoop *loop : loops->getLoopsInPreorder())
      hasChanged |= sinkInto(*loop);
    return hasChanged;
  }

private:
  /// Moves values from in front of the loop into it. Their operands may follow them.
  bool sinkInto(MachineLoop &loop) {
    if (liveness->most(loop) < leastHeld)
      return false;
    bool hasChanged = false;
    for (bool again = true; std::exchange(again, false);) {
      for (MachineInstr *value : valuesInFrontOf(loop))
        again |= sink(*value, loop);
      if (again)
        liveness->recompute();
      hasChanged |= again;
    }
    return hasChanged;
  }

  SmallVector<MachineInstr *> valuesInFrontOf(const MachineLoop &loop) const {
    SmallVector<MachineInstr *> values;
    for (unsigned index : liveness->liveInto(*loop.getHeader()).set_bits()) {
      MachineInstr *value = registers->getVRegDef(Register::index2VirtReg(index));
      if (value && loops->getLoopFor(value->getParent()) == loop.getParentLoop() &&
          computesValue(*value, *registers))
        values.push_back(value);
    }
    return values;
  }

  bool sink(MachineInstr &value, MachineLoop &loop) {
    std::optional<Places> places = placesOf(value, loop);
    if (!places)
      return false;
    MachineFunction &function = *value.getMF();
    for (auto &[block, uses] : *places) {
      MachineInstr *copy = function.CloneMachineInstr(&value);
      copy->setDebugLoc(DebugLoc());
      block->insert(block->SkipPHIsAndLabels(block->begin()), copy);
      Register result = registers->cloneVirtualRegister(value.getOperand(0).getReg());
      copy->getOperand(0).setReg(result);
      for (MachineOperand *use : uses)
        use->setReg(result);
    }
    value.eraseFromParent();
    return true;
  }

  /// Returns the blocks of the loop, in no inner one, where the value may be computed instead, with
  /// the uses that each of them dominates: one block for all, or each user's own. Nothing is
  /// returned if they are not rare.
  std::optional<Places> placesOf(const MachineInstr &value, const MachineLoop &loop) const {
    Places places;
    MachineBasicBlock *common = nullptr;
    for (MachineOperand &use : registers->use_nodbg_operands(value.getOperand(0).getReg())) {
      MachineInstr &user = *use.getParent();
      MachineBasicBlock *block = user.getParent();
      if (user.isPHI())
        block = user.getOperand(use.getOperandNo() + 1).getMBB();
      if (!loop.contains(block))
        return std::nullopt;
      block = leaveInner(block, loop);
      places[block].push_back(&use);
      common = common ? tree->findNearestCommonDominator(common, block) : block;
    }
    if (!common)
      return std::nullopt;
    Places one;
    for (auto &[block, uses] : places)
      append_range(one[leaveInner(common, loop)], uses);
    if (areRare(one, value, loop))
      return one;
    return places.size() <= mostCopies && areRare(places, value, loop) ? std::optional(places)
                                                                       : std::nullopt;
  }

  /// Returns the closest block that dominates the block and is in no loop within this one.
  MachineBasicBlock *leaveInner(MachineBasicBlock *block, const MachineLoop &loop) const {
    while (loops->getLoopFor(block) != &loop)
      block = tree->getNode(block)->getIDom()->getBlock();
    return block;
  }

  /// Returns whether the value is computed at most half as often there as where it is, or not more
  /// often and with fewer registers held.
  bool areRare(const Places &places, const MachineInstr &value, const MachineLoop &loop) const {
    auto often = [&](const MachineBasicBlock *block) {
      return double(frequencies->getBlockFreq(block).getFrequency());
    };
    double now = often(value.getParent()), there = 0;
    for (const auto &place : places)
      there += often(place.first);
    return 2 * there <= now || (there <= now && saves(value, loop));
  }

  /// Returns whether fewer registers are held with the operands than with the value.
  bool saves(const MachineInstr &value, const MachineLoop &loop) const {
    unsigned added = 0;
    for (Register used : operandsOf(value))
      if (!isHeld(used, loop) && !isNear(used, loop))
        added += liveness->sizeOf(used);
    return added < liveness->sizeOf(value.getOperand(0).getReg());
  }

  bool isHeld(Register used, const MachineLoop &loop) const {
    return liveness->liveInto(*loop.getHeader()).test(used.virtRegIndex());
  }

  /// Returns whether the register is one instruction away from those that are held, special
  /// registers, parameters and constants. It follows the value, or ptxas computes it again.
  bool isNear(Register used, const MachineLoop &loop) const {
    const MachineInstr *value = registers->getVRegDef(used);
    return value && computesValue(*value, *registers) &&
           all_of(operandsOf(*value), [&](Register one) {
             const MachineInstr *root = registers->getVRegDef(one);
             return isHeld(one, loop) || (root && operandsOf(*root).empty());
           });
  }

  static SmallVector<Register, 4> operandsOf(const MachineInstr &value) {
    SmallVector<Register, 4> result;
    for (const MachineOperand &operand : value.uses())
      if (operand.isReg() && operand.getReg())
        result.push_back(operand.getReg());
    return result;
  }

  MachineDominatorTree *tree = nullptr;
  MachineLoopInfo *loops = nullptr;
  MachineBlockFrequencyInfo *frequencies = nullptr;
  MachineRegisterInfo *registers = nullptr;
  RegisterLiveness *liveness = nullptr;
};

char SinkHeldValues::ID = 0;

} // namespace

Pass *createSinkHeldValues() { return new SinkHeldValues(); }

} // namespace regrain::nvptx
