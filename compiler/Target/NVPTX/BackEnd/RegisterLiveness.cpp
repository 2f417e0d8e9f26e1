//===- RegisterLiveness.cpp - Which registers are live where --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/RegisterLiveness.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"

using namespace llvm;

namespace regrain::nvptx {

/// Goes from behind the instruction to in front of it, and calls `change` for each register that is
/// live on one side alone, with whether that is the front.
static void step(const MachineInstr &instruction, BitVector &live,
                 function_ref<void(Register, bool)> change) {
  auto set = [&](const MachineOperand &operand, bool isLive) {
    if (!operand.isReg() || !operand.getReg().isVirtual())
      return;
    unsigned index = operand.getReg().virtRegIndex();
    if (live.test(index) == isLive)
      return;
    live[index] = isLive;
    change(operand.getReg(), isLive);
  };
  for (const MachineOperand &result : instruction.defs())
    set(result, false);
  if (instruction.isPHI() || instruction.isDebugInstr())
    return;
  for (const MachineOperand &operand : instruction.uses())
    set(operand, true);
}

RegisterLiveness::RegisterLiveness(const MachineFunction &function) : function(function) {
  recompute();
}

BitVector RegisterLiveness::liveOutOf(const MachineBasicBlock &block) const {
  BitVector result(function.getRegInfo().getNumVirtRegs());
  for (const MachineBasicBlock *next : block.successors()) {
    result |= live[next->getNumber()];
    for (const MachineInstr &phi : next->phis())
      for (unsigned index = 1; index + 1 < phi.getNumOperands(); index += 2)
        if (phi.getOperand(index + 1).getMBB() == &block)
          result.set(phi.getOperand(index).getReg().virtRegIndex());
  }
  return result;
}

void RegisterLiveness::recompute() {
  live.assign(function.getNumBlockIDs(), BitVector(function.getRegInfo().getNumVirtRegs()));
  for (bool again = true; std::exchange(again, false);)
    for (const MachineBasicBlock *block : post_order(&function)) {
      BitVector now = liveOutOf(*block);
      for (const MachineInstr &instruction : reverse(*block))
        step(instruction, now, [](Register, bool) {});
      if (now != live[block->getNumber()]) {
        live[block->getNumber()] = std::move(now);
        again = true;
      }
    }
}

unsigned RegisterLiveness::sizeOf(Register used) const {
  const MachineRegisterInfo &registers = function.getRegInfo();
  const TargetRegisterInfo &target = *registers.getTargetRegisterInfo();
  unsigned bits = target.getRegSizeInBits(*registers.getRegClass(used));
  return bits == 1 ? 0 : (bits + 31) / 32;
}

unsigned RegisterLiveness::most(const MachineBasicBlock &block) const {
  BitVector now = liveOutOf(block);
  unsigned size = 0;
  for (unsigned index : now.set_bits())
    size += sizeOf(Register::index2VirtReg(index));
  unsigned most = size;
  for (const MachineInstr &instruction : reverse(block)) {
    step(instruction, now, [&](Register changed, bool isLive) {
      size += isLive ? sizeOf(changed) : -sizeOf(changed);
    });
    most = std::max(most, size);
  }
  return most;
}

unsigned RegisterLiveness::most(const MachineLoop &loop) const {
  unsigned result = 0;
  for (const MachineBasicBlock *block : loop.blocks())
    result = std::max(result, most(*block));
  return result;
}

} // namespace regrain::nvptx
