//===- BlockSizes.cpp - Sizes of a launch are read first ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/BlockSizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The names of LLVM's instructions that read special registers, up to the dimension.
constexpr StringRef sizeOfBlock = "INT_PTX_SREG_NTID_", numberOfBlock = "INT_PTX_SREG_CTAID_",
                    numberOfThread = "INT_PTX_SREG_TID_";

class ReadSizesFirst final : public MachineFunctionPass {
public:
  static char ID;
  ReadSizesFirst() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
    auto nameOf = [&](const MachineInstr &instruction) {
      return instructions.getName(instruction.getOpcode());
    };
    bool hasChanged = false;
    for (MachineBasicBlock &block : function) {
      MachineInstr *number = nullptr; // the first one
      for (MachineInstr &instruction : make_early_inc_range(block)) {
        StringRef name = nameOf(instruction);
        if (number && name.starts_with(sizeOfBlock)) {
          block.splice(number->getIterator(), &block, instruction.getIterator());
          hasChanged = true;
        } else if (!number &&
                   (name.starts_with(numberOfBlock) || name.starts_with(numberOfThread))) {
          number = &instruction;
        }
      }
    }
    return hasChanged;
  }
};

char ReadSizesFirst::ID = 0;

} // namespace

MachineFunctionPass *createReadSizesFirst() { return new ReadSizesFirst(); }

} // namespace regrain::nvptx
