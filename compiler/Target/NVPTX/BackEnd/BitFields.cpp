//===- BitFields.cpp - Fields of bits that are no bytes -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/BackEnd/BitFields.h"
#include "compiler/Target/NVPTX/BackEnd/OpcodesByName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr uint64_t wordBits = 32, byteBits = 8, longField = 16;

struct Opcodes {
  unsigned field, signedField, shift, mask, shiftLeft, shiftSigned;

  explicit Opcodes(const TargetInstrInfo &instructions)
      : field(opcodeOf(instructions, "BFE_U32rii")),
        signedField(opcodeOf(instructions, "BFE_S32rii")),
        shift(opcodeOf(instructions, "SRLi32ri")), mask(opcodeOf(instructions, "ANDb32ri")),
        shiftLeft(opcodeOf(instructions, "SHLi32ri")),
        shiftSigned(opcodeOf(instructions, "SRAi32ri")) {}

  [[nodiscard]] bool areKnown() const {
    return field && signedField && shift && mask && shiftLeft && shiftSigned;
  }
};

/// A field of a word: `length` bits from the bit `position` on.
struct Field {
  uint64_t position = 0, length = 0;

  explicit Field(const MachineInstr &extraction)
      : position(extraction.getOperand(2).getImm()), length(extraction.getOperand(3).getImm()) {}

  [[nodiscard]] bool consistsOfBytes() const {
    return position % byteBits == 0 && length % byteBits == 0;
  }
  [[nodiscard]] bool isInsideWord() const {
    return position && length && position < wordBits && length <= wordBits - position;
  }
  [[nodiscard]] bool isLong() const { return length > longField; }
  [[nodiscard]] bool endsWithWord() const { return position + length == wordBits; }
};

class ShiftAndMaskFields final : public MachineFunctionPass {
public:
  static char ID;
  ShiftAndMaskFields() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &instructions = *function.getSubtarget().getInstrInfo();
    Opcodes opcodes(instructions);
    if (!opcodes.areKnown())
      return false;
    bool hasChanged = false;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : make_early_inc_range(block)) {
        bool isSigned = instruction.getOpcode() == opcodes.signedField;
        if (!isSigned && instruction.getOpcode() != opcodes.field)
          continue;
        Field field(instruction);
        if (!field.isInsideWord() || field.consistsOfBytes() || field.isLong())
          continue;
        if (isSigned)
          shiftTwice(instruction, field, instructions, opcodes);
        else
          shiftAndMask(instruction, field, instructions, opcodes);
        hasChanged = true;
      }
    return hasChanged;
  }

private:
  static void shiftAndMask(MachineInstr &extraction, const Field &field,
                           const TargetInstrInfo &instructions, const Opcodes &opcodes) {
    MachineBasicBlock &block = *extraction.getParent();
    MachineRegisterInfo &registers = block.getParent()->getRegInfo();
    Register result = extraction.getOperand(0).getReg();
    const DebugLoc &location = extraction.getDebugLoc();
    Register shifted = field.endsWithWord()
                           ? result
                           : registers.createVirtualRegister(registers.getRegClass(result));
    BuildMI(block, extraction, location, instructions.get(opcodes.shift), shifted)
        .add(extraction.getOperand(1))
        .addImm(field.position);
    if (!field.endsWithWord())
      BuildMI(block, extraction, location, instructions.get(opcodes.mask), result)
          .addReg(shifted)
          .addImm(maskTrailingOnes<uint32_t>(field.length));
    extraction.eraseFromParent();
  }

  static void shiftTwice(MachineInstr &extraction, const Field &field,
                         const TargetInstrInfo &instructions, const Opcodes &opcodes) {
    MachineBasicBlock &block = *extraction.getParent();
    MachineRegisterInfo &registers = block.getParent()->getRegInfo();
    Register result = extraction.getOperand(0).getReg();
    const DebugLoc &location = extraction.getDebugLoc();
    Register shifted = registers.createVirtualRegister(registers.getRegClass(result));
    BuildMI(block, extraction, location, instructions.get(opcodes.shiftLeft), shifted)
        .add(extraction.getOperand(1))
        .addImm(wordBits - field.position - field.length);
    BuildMI(block, extraction, location, instructions.get(opcodes.shiftSigned), result)
        .addReg(shifted)
        .addImm(wordBits - field.length);
    extraction.eraseFromParent();
  }
};

char ShiftAndMaskFields::ID = 0;

} // namespace

Pass *createShiftAndMaskFields() { return new ShiftAndMaskFields(); }

} // namespace regrain::nvptx
