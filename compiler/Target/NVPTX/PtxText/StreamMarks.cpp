//===- StreamMarks.cpp - Nontemporal accesses in PTX ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PtxText/StreamMarks.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/Annotations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr StringLiteral plainText = "// regrain: streamed";
constexpr StringLiteral onlyReadText = "// regrain: streamed, only read";
constexpr StringLiteral onlyReadMetadata = "regrain.only-read";

/// Returns whether LLVM's NVPTX target infers that nothing writes the memory during the launch.
bool isOnlyRead(const LoadInst &load, bool isKernel) {
  if (load.getPointerAddressSpace() != globalSpace)
    return false;
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects);
  return all_of(objects, [&](const Value *object) {
    if (auto *argument = dyn_cast<Argument>(object))
      return isKernel && argument->hasNoAliasAttr() && argument->onlyReadsMemory();
    auto *variable = dyn_cast<GlobalVariable>(object);
    return variable && variable->isConstant();
  });
}

/// A pointer that is frozen is no argument to LLVM's inference.
struct KeepStreamed final : FunctionPass {
  static char ID;
  KeepStreamed() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesAll(); }

  bool runOnFunction(Function &function) override {
    bool isKernel = annotation(function, "kernel") == 1, hasChanged = false;
    for (Instruction &instruction : instructions(function)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->isSimple() || !load->hasMetadata(LLVMContext::MD_nontemporal) ||
          !isOnlyRead(*load, isKernel))
        continue;
      auto *pointer = new FreezeInst(load->getPointerOperand(), "", load->getIterator());
      pointer->setMetadata(onlyReadMetadata, MDNode::get(function.getContext(), {}));
      load->setOperand(LoadInst::getPointerOperandIndex(), pointer);
      load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
      hasChanged = true;
    }
    return hasChanged;
  }
};

/// Returns the mark of an instruction, as text; null for what is not nontemporal.
const char *markOf(const MachineInstr &instruction) {
  for (const MachineMemOperand *memory : instruction.memoperands()) {
    if (!memory->isNonTemporal() || !memory->isUnordered())
      continue;
    auto *pointer = dyn_cast_or_null<Instruction>(memory->getValue());
    bool isOnlyRead = pointer && pointer->hasMetadata(onlyReadMetadata);
    return isOnlyRead ? onlyReadText.data() : plainText.data();
  }
  return nullptr;
}

struct MarkStreamed final : MachineFunctionPass {
  static char ID;
  MarkStreamed() : MachineFunctionPass(ID) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    const MCInstrDesc &comment =
        function.getSubtarget().getInstrInfo()->get(TargetOpcode::INLINEASM);
    bool hasChanged = false;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block)
        if (const char *text = markOf(instruction)) {
          BuildMI(block, instruction, instruction.getDebugLoc(), comment)
              .addExternalSymbol(text)
              .addImm(/*flags of assembly=*/0);
          hasChanged = true;
        }
    return hasChanged;
  }
};

char KeepStreamed::ID = 0;
char MarkStreamed::ID = 0;

} // namespace

void keepStreamedVectors(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->getType()->isVectorTy() ||
          !load->hasMetadata(LLVMContext::MD_nontemporal))
        continue;
      auto *whole = new FreezeInst(load, "", std::next(load->getIterator()));
      load->replaceUsesWithIf(whole, [&](const Use &use) { return use.getUser() != whole; });
    }
}

FunctionPass *createKeepStreamed() { return new KeepStreamed(); }
FunctionPass *createMarkStreamed() { return new MarkStreamed(); }

StreamMark takeStreamMark(StringRef &ptx) {
  StringRef rest = ptx;
  if (!rest.consume_front("\t// begin inline asm\n\t") || !rest.consume_front(plainText))
    return StreamMark::None;
  bool isOnlyRead = rest.consume_front(onlyReadText.drop_front(plainText.size()));
  if (!rest.consume_front("\n\t// end inline asm\n"))
    return StreamMark::None;
  ptx = rest;
  return isOnlyRead ? StreamMark::OnlyRead : StreamMark::Plain;
}

} // namespace regrain::nvptx
