//===- BlockUniformity.cpp - What threads of a block agree on -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/ControlFlow/BlockUniformity.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether threads may get different results where their operands are the same.
bool differs(const CallBase &call) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic)
    return true;
  if (intrinsic->getCalledFunction()->getName().starts_with("llvm.nvvm.read.ptx.sreg."))
    return !readsBlock(*intrinsic);
  return intrinsic->isConvergent() || !intrinsic->doesNotAccessMemory();
}

/// Returns whether all threads find the same memory at the object that a generic pointer names.
/// Each thread has its own copy of an argument that is passed by value, if it writes to it.
bool isCommon(const Value &object) {
  if (const auto *argument = dyn_cast<Argument>(&object))
    return !argument->hasByValAttr() || argument->onlyReadsMemory();
  return isa<GlobalVariable>(object);
}

bool mayBeOwn(const LoadInst &load) {
  unsigned space = load.getPointerAddressSpace();
  return space == localSpace ||
         (space == genericSpace && !isCommon(*getUnderlyingObject(load.getPointerOperand())));
}

bool differs(const LoadInst &load) { return !load.isSimple() || mayBeOwn(load); }

/// Returns whether all threads get one result, whatever their operands are.
bool combinesAll(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier0_and:
  case Intrinsic::nvvm_barrier0_or:
  case Intrinsic::nvvm_barrier0_popc:
    return true;
  default:
    return false;
  }
}

/// A target on which threads of a block may part.
class ThreadsOfBlock : public TargetTransformInfoImplCRTPBase<ThreadsOfBlock> {
public:
  explicit ThreadsOfBlock(const DataLayout &layout) : TargetTransformInfoImplCRTPBase(layout) {}

  bool hasBranchDivergence(const Function *) const { return true; }

  bool isAlwaysUniform(const Value *value) const {
    const auto *call = dyn_cast<IntrinsicInst>(value);
    return call && combinesAll(*call);
  }

  bool isSourceOfDivergence(const Value *value) const {
    if (isa<AllocaInst, FreezeInst>(value))
      return true;
    if (const auto *call = dyn_cast<CallBase>(value))
      return !isAlwaysUniform(value) && differs(*call);
    if (const auto *load = dyn_cast<LoadInst>(value))
      return differs(*load);
    const auto *instruction = dyn_cast<Instruction>(value);
    return instruction && instruction->isAtomic();
  }
};

} // namespace

bool readsBlock(const IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  return name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
         (name.starts_with("ctaid.") || name.starts_with("nctaid.") || name.starts_with("ntid."));
}

BasicBlocks findPartings(Function &kernel) {
  FunctionAnalysisManager analyses;
  analyses.registerPass([] {
    return TargetIRAnalysis([](const Function &function) {
      return TargetTransformInfo(ThreadsOfBlock(function.getParent()->getDataLayout()));
    });
  });
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([] { return UniformityInfoAnalysis(); });
  auto &uniformity = analyses.getResult<UniformityInfoAnalysis>(kernel);
  BasicBlocks partings;
  for (const BasicBlock &block : kernel)
    if (uniformity.hasDivergentTerminator(block))
      partings.insert(&block);
  return partings;
}

} // namespace regrain::nvptx
