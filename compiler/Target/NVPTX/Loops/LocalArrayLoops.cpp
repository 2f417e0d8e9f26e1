//===- LocalArrayLoops.cpp - Loops over arrays of a thread ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/LocalArrayLoops.h"

#include "compiler/Target/NVPTX/Calls/OwnAssembly.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The most bytes of an array that fits into a thread's registers beside other values.
constexpr uint64_t largestArray = 512;
/// The most instructions of an unrolled loop, before what becomes constant is removed.
constexpr uint64_t mostInstructions = 4096;
/// The same for a loop of which only a bound is known, and which keeps its branches.
constexpr uint64_t mostBounded = 256;
constexpr unsigned largestBound = 8; ///< LLVM unrolls to no larger bound

/// Returns the array of the thread to which `pointer` points, if it is small; otherwise null.
const AllocaInst *smallArray(const Value *pointer) {
  auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  if (!array || !array->isStaticAlloca())
    return nullptr;
  std::optional<TypeSize> bytes = array->getAllocationSize(array->getModule()->getDataLayout());
  bool isSmall = bytes && !bytes->isScalable() && bytes->getFixedValue() <= largestArray;
  return isSmall ? array : nullptr;
}

bool isCounted(const SCEV *index, ScalarEvolution &evolution);

/// Returns whether all indices of the address are constant once loops are unrolled.
bool hasCountedIndices(const GetElementPtrInst &address, ScalarEvolution &evolution) {
  return all_of(address.indices(),
                [&](const Use &index) { return isCounted(evolution.getSCEV(index), evolution); });
}

/// Returns whether the value is read from a constant table, at a place that is constant once loops
/// are unrolled.
bool isOfTable(const Value *value, ScalarEvolution &evolution) {
  auto *load = dyn_cast<LoadInst>(value);
  auto *table =
      load ? dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
  if (!table || !table->isConstant() || !table->hasDefinitiveInitializer() || load->isVolatile())
    return false;
  const Value *pointer = load->getPointerOperand();
  while (auto *address = dyn_cast<GetElementPtrInst>(pointer->stripPointerCasts())) {
    if (!hasCountedIndices(*address, evolution))
      return false;
    pointer = address->getPointerOperand();
  }
  return pointer->stripPointerCasts() == table;
}

/// Returns whether the index is constant once all loops are unrolled that count to a constant.
bool isCounted(const SCEV *index, ScalarEvolution &evolution) {
  return !SCEVExprContains(index, [&](const SCEV *part) {
    if (auto *unknown = dyn_cast<SCEVUnknown>(part))
      return !isOfTable(unknown->getValue(), evolution);
    auto *counter = dyn_cast<SCEVAddRecExpr>(part);
    return counter && !evolution.getSmallConstantTripCount(counter->getLoop());
  });
}

/// Returns whether all accesses through `pointer` are at places that are constant once loops are
/// unrolled: then what it points to becomes registers.
bool becomesRegisters(const Value &pointer, ScalarEvolution &evolution) {
  return all_of(pointer.users(), [&](const User *user) {
    if (auto *address = dyn_cast<GetElementPtrInst>(user))
      return hasCountedIndices(*address, evolution) && becomesRegisters(*address, evolution);
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != &pointer && !store->isVolatile();
    if (auto *load = dyn_cast<LoadInst>(user))
      return !load->isVolatile();
    if (isa<AddrSpaceCastInst, BitCastInst>(user))
      return becomesRegisters(*user, evolution);
    return isa<IntrinsicInst>(user); // copies, and the beginning and end of its life
  });
}

class UnrollOverLocalArrays : public PassInfoMixin<UnrollOverLocalArrays> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (loop.isInnermost() && hasUnrollTransformation(&loop) == TM_Unspecified &&
        isWorthUnrolling(loop, results.SE, results.DT))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }

private:
  static bool isWorthUnrolling(const Loop &loop, ScalarEvolution &evolution,
                               const DominatorTree &tree) {
    uint64_t trips = evolution.getSmallConstantTripCount(&loop), instructions = 0;
    if (trips <= 1)
      return false;
    bool countsThroughArray = false;
    auto isAlwaysRun = [&](const BasicBlock &block) {
      const BasicBlock *latch = loop.getLoopLatch();
      return !latch || tree.dominates(&block, latch);
    };
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : block->instructionsWithoutDebug()) {
        if (callsFunction(instruction) && isAlwaysRun(*block))
          return false; // the array is a small part of its work
        instructions += sizeOfAssembly(instruction).value_or(1);
        if (instructions * trips > mostInstructions)
          return false;
        auto *address = dyn_cast<GetElementPtrInst>(&instruction);
        if (address && !countsThroughArray)
          countsThroughArray = countsThroughRegisters(*address, loop, evolution);
      }
    return countsThroughArray;
  }

  static bool countsThroughRegisters(const GetElementPtrInst &address, const Loop &loop,
                                     ScalarEvolution &evolution) {
    const AllocaInst *array = smallArray(address.getPointerOperand());
    return array &&
           any_of(address.indices(),
                  [&](const Use &index) {
                    return !evolution.isLoopInvariant(evolution.getSCEV(index), &loop);
                  }) &&
           becomesRegisters(*array, evolution);
  }
};

/// Returns whether the loop counts through a small array of the thread.
bool countsThrough(const GetElementPtrInst &address, const Loop &loop, ScalarEvolution &evolution) {
  return smallArray(address.getPointerOperand()) &&
         any_of(address.indices(), [&](const Use &index) {
           return evolution.hasComputableLoopEvolution(evolution.getSCEV(index), &loop);
         });
}

/// Unrolls loops over small arrays whose number of iterations has a small bound. Nothing is asked
/// of other accesses: a place that is constant can be read before an outer loop.
class UnrollToBound : public PassInfoMixin<UnrollToBound> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (loop.isInnermost() && hasUnrollTransformation(&loop) == TM_Unspecified &&
        isWorthUnrolling(loop, results.SE))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.enable");
    return PreservedAnalyses::all();
  }

private:
  static bool isWorthUnrolling(const Loop &loop, ScalarEvolution &evolution) {
    unsigned trips = evolution.getSmallConstantMaxTripCount(&loop);
    if (trips <= 1 || trips > largestBound || evolution.getSmallConstantTripCount(&loop) ||
        !loop.getParentLoop())
      return false;
    uint64_t instructions = 0;
    bool countsThroughArray = false;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : block->instructionsWithoutDebug()) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (call && (!isa<IntrinsicInst>(call) || call->isConvergent()))
          return false; // lanes that are at different iterations meet in one place
        if (++instructions * trips > mostBounded)
          return false;
        auto *address = dyn_cast<GetElementPtrInst>(&instruction);
        countsThroughArray |= address && countsThrough(*address, loop, evolution);
      }
    return countsThroughArray;
  }
};

} // namespace

void unrollOverLocalArrays(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(UnrollOverLocalArrays()); });
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(createFunctionToLoopPassAdaptor(UnrollToBound()));
  });
}

} // namespace regrain::nvptx
