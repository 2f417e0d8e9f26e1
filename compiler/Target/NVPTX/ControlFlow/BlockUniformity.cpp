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
#include "llvm/IR/InstIterator.h"
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

/// The lanes of a warp are neighbours along x.
constexpr unsigned lanes = 32;

/// Returns whether the value is the number of a warp, or of several, along x.
bool countsWarps(const Value &value) {
  auto *operation = dyn_cast<BinaryOperator>(&value);
  auto *by = operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
  auto *thread = by ? dyn_cast<IntrinsicInst>(operation->getOperand(0)) : nullptr;
  if (!thread || thread->getIntrinsicID() != Intrinsic::nvvm_read_ptx_sreg_tid_x)
    return false;
  uint64_t number = by->getZExtValue();
  return operation->getOpcode() == Instruction::LShr   ? number < 32 && (1u << number) >= lanes
         : operation->getOpcode() == Instruction::UDiv ? number % lanes == 0
                                                       : false;
}

/// Returns whether the intrinsic function reads a coordinate of the thread that lanes share.
bool isRowOfThreads(const IntrinsicInst &call) {
  return call.getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_y ||
         call.getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_z;
}

/// Among whom the values are compared.
enum class Among { Block, Warp };

/// A target on which threads of a block, or lanes of a warp, may part.
class ThreadsOfBlock : public TargetTransformInfoImplCRTPBase<ThreadsOfBlock> {
public:
  ThreadsOfBlock(const DataLayout &layout, Among among)
      : TargetTransformInfoImplCRTPBase(layout), among(among) {}

  bool hasBranchDivergence(const Function *) const { return true; }

  bool isAlwaysUniform(const Value *value) const {
    const auto *call = dyn_cast<IntrinsicInst>(value);
    if (among == Among::Warp && (countsWarps(*value) || (call && isRowOfThreads(*call))))
      return true;
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

private:
  Among among;
};

/// Runs the analysis of a kernel and hands it on.
void analyse(Function &kernel, Among among, function_ref<void(UniformityInfo &)> use) {
  FunctionAnalysisManager analyses;
  analyses.registerPass([=] {
    return TargetIRAnalysis([=](const Function &function) {
      return TargetTransformInfo(ThreadsOfBlock(function.getParent()->getDataLayout(), among));
    });
  });
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([] { return UniformityInfoAnalysis(); });
  use(analyses.getResult<UniformityInfoAnalysis>(kernel));
}

} // namespace

bool readsBlock(const IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  return name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
         (name.starts_with("ctaid.") || name.starts_with("nctaid.") || name.starts_with("ntid."));
}

BasicBlocks findPartings(Function &kernel) {
  BasicBlocks partings;
  analyse(kernel, Among::Block, [&](UniformityInfo &uniformity) {
    for (const BasicBlock &block : kernel)
      if (uniformity.hasDivergentTerminator(block))
        partings.insert(&block);
  });
  return partings;
}

Loads findScatteredLoads(Function &kernel) {
  Loads scattered;
  analyse(kernel, Among::Warp, [&](UniformityInfo &uniformity) {
    for (const Instruction &instruction : instructions(kernel))
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && load->isSimple() && uniformity.isDivergent(load->getPointerOperand()))
        scattered.insert(load);
  });
  return scattered;
}

} // namespace regrain::nvptx
