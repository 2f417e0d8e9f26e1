//===- LocalFrames.cpp - Local addresses of a thread's arrays -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/LocalFrames.h"

#include "compiler/Target/NVPTX/BackEnd/OpcodesByName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The names of LLVM's registers that hold the frame's address.
constexpr StringRef genericFrame = "VRFrame64", localFrame = "VRFrameLocal64";

class UseLocalFrames final : public MachineFunctionPass {
public:
  static char ID;
  UseLocalFrames() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    if (!function.getFrameInfo().hasStackObjects())
      return false;
    registers = &function.getRegInfo();
    instructions = function.getSubtarget().getInstrInfo();
    const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
    generic = registerNamed(target, genericFrame);
    local = registerNamed(target, localFrame);
    toLocal = opcodeOf(*instructions, "cvta_to_local_3264");
    offset = opcodeOf(*instructions, "LEA_ADDRi64");
    narrow = opcodeOf(*instructions, "CVT_u32_u64");
    if (!generic || !local || !toLocal || !offset || !narrow)
      return false;
    bool hasChanged = false;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : make_early_inc_range(block))
        if (instruction.getOpcode() == toLocal)
          hasChanged |= formFromFrame(instruction);
    return hasChanged;
  }

private:
  static Register registerNamed(const TargetRegisterInfo &target, StringRef name) {
    for (unsigned number = 1; number < target.getNumRegs(); ++number)
      if (target.getName(number) == name)
        return number;
    return {};
  }

  bool formFromFrame(MachineInstr &conversion) {
    Register source = conversion.getOperand(1).getReg();
    MachineInstr *address = source.isVirtual() ? registers->getUniqueVRegDef(source) : nullptr;
    if (!address || address->getOpcode() != offset || !address->getOperand(1).isReg() ||
        address->getOperand(1).getReg() != generic)
      return false;
    MachineBasicBlock &block = *conversion.getParent();
    Register wide = registers->cloneVirtualRegister(source);
    BuildMI(block, conversion, DebugLoc(), instructions->get(offset), wide)
        .addReg(local)
        .add(address->getOperand(2));
    BuildMI(block, conversion, DebugLoc(), instructions->get(narrow),
            conversion.getOperand(0).getReg())
        .addReg(wide)
        .addImm(0); // no rounding
    conversion.eraseFromParent();
    if (registers->use_nodbg_empty(source))
      address->eraseFromParent();
    return true;
  }

  MachineRegisterInfo *registers = nullptr;
  const TargetInstrInfo *instructions = nullptr;
  Register generic, local;
  unsigned toLocal = 0, offset = 0, narrow = 0; ///< opcodes
};

char UseLocalFrames::ID = 0;

} // namespace

MachineFunctionPass *createUseLocalFrames() { return new UseLocalFrames(); }

} // namespace regrain::nvptx
