//===- LocalArrayLoops.cpp - Loops over arrays of a thread ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/LocalArrayLoops.h"

#include "compiler/Target/NVPTX/Calls/OwnAssembly.h"
#include "compiler/Target/NVPTX/Memory/SmallArrays.h"
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

/// The most instructions of an unrolled loop, before what becomes constant is removed.
constexpr uint64_t mostInstructions = 4096;
/// The same for a loop of which only a bound is known, and which keeps its branches.
constexpr uint64_t mostBounded = 256;
constexpr unsigned largestBound = 8; ///< LLVM unrolls to no larger bound

/// Returns the array of the thread to which `pointer` points, if it is small; otherwise null.
const AllocaInst *smallArray(const Value *pointer) {
  auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
  return array && isSmallArray(*array) ? array : nullptr;
}

/// Answers what is constant once all loops are unrolled that count to a constant.
class CountedValues {
public:
  CountedValues(ScalarEvolution &evolution, const LoopInfo &loops)
      : evolution(evolution), loops(loops) {}

  /// Returns whether all accesses through `pointer` are at places that become constant: then what
  /// it points to becomes registers.
  bool becomesRegisters(const Value &pointer) {
    return all_of(pointer.users(), [&](const User *user) {
      if (auto *address = dyn_cast<GetElementPtrInst>(user))
        return hasCountedIndices(*address) && becomesRegisters(*address);
      if (auto *store = dyn_cast<StoreInst>(user))
        return store->getValueOperand() != &pointer && !store->isVolatile();
      if (auto *load = dyn_cast<LoadInst>(user))
        return !load->isVolatile();
      if (auto *phi = dyn_cast<PHINode>(user)) // which steps from place to place
        return startsIteration(*phi) && (!seen.insert(phi).second || becomesRegisters(*phi));
      if (isa<AddrSpaceCastInst, BitCastInst>(user))
        return becomesRegisters(*user);
      return isa<IntrinsicInst>(user); // copies, and the beginning and end of its life
    });
  }

private:
  bool hasCountedIndices(const GetElementPtrInst &address) {
    return all_of(address.indices(),
                  [&](const Use &index) { return isCounted(evolution.getSCEV(index)); });
  }

  bool isCounted(const SCEV *index) {
    return !SCEVExprContains(index, [&](const SCEV *part) {
      if (auto *unknown = dyn_cast<SCEVUnknown>(part))
        return !isOfTable(unknown->getValue()) && !isOfConstants(unknown->getValue());
      auto *counter = dyn_cast<SCEVAddRecExpr>(part);
      return counter && !evolution.getSmallConstantTripCount(counter->getLoop());
    });
  }

  /// Returns whether the phi gets its values at the beginning of each iteration of a loop that can
  /// be unrolled completely.
  bool startsIteration(const PHINode &phi) const {
    const Loop *loop = loops.getLoopFor(phi.getParent());
    return loop && loop->getHeader() == phi.getParent() &&
           evolution.getSmallConstantTripCount(loop);
  }

  /// Returns whether the value is constant in each iteration, as the counter of a loop with two
  /// iterations is, which LLVM does not leave as a sum.
  bool isOfConstants(const Value *value) const {
    auto *phi = dyn_cast<PHINode>(value);
    return phi && startsIteration(*phi) &&
           all_of(phi->incoming_values(), [](const Use &one) { return isa<ConstantInt>(one); });
  }

  /// Returns whether the value is read from a constant table, at a place that becomes constant.
  bool isOfTable(const Value *value) {
    auto *load = dyn_cast<LoadInst>(value);
    auto *table =
        load ? dyn_cast<GlobalVariable>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
    if (!table || !table->isConstant() || !table->hasDefinitiveInitializer() || load->isVolatile())
      return false;
    const Value *pointer = load->getPointerOperand();
    while (auto *address = dyn_cast<GetElementPtrInst>(pointer->stripPointerCasts())) {
      if (!hasCountedIndices(*address))
        return false;
      pointer = address->getPointerOperand();
    }
    return pointer->stripPointerCasts() == table;
  }

  ScalarEvolution &evolution;
  const LoopInfo &loops;
  SmallPtrSet<const PHINode *, 8> seen;
};

class UnrollOverLocalArrays : public PassInfoMixin<UnrollOverLocalArrays> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (loop.isInnermost() && hasUnrollTransformation(&loop) == TM_Unspecified &&
        isWorthUnrolling(loop, results))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }

private:
  static bool isWorthUnrolling(const Loop &loop, LoopStandardAnalysisResults &results) {
    ScalarEvolution &evolution = results.SE;
    uint64_t trips = evolution.getSmallConstantTripCount(&loop), instructions = 0;
    if (trips <= 1)
      return false;
    bool countsThroughArray = false;
    auto isAlwaysRun = [&](const BasicBlock &block) {
      const BasicBlock *latch = loop.getLoopLatch();
      return !latch || results.DT.dominates(&block, latch);
    };
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : block->instructionsWithoutDebug()) {
        if (callsFunction(instruction) && isAlwaysRun(*block))
          return false; // the array is a small part of its work
        instructions += sizeOfAssembly(instruction).value_or(1);
        if (instructions * trips > mostInstructions)
          return false;
        if (!countsThroughArray)
          if (const AllocaInst *array = arrayCountedBy(instruction, loop, evolution))
            countsThroughArray = CountedValues(evolution, results.LI).becomesRegisters(*array);
      }
    return countsThroughArray;
  }

  /// Returns the small array in which the instruction is another place in each iteration;
  /// otherwise null.
  static const AllocaInst *arrayCountedBy(const Instruction &instruction, const Loop &loop,
                                          ScalarEvolution &evolution) {
    if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) {
      bool changes = any_of(address->indices(), [&](const Use &index) {
        return !evolution.isLoopInvariant(evolution.getSCEV(index), &loop);
      });
      return changes ? smallArray(address->getPointerOperand()) : nullptr;
    }
    auto *phi = dyn_cast<PHINode>(&instruction);
    bool isPlace = phi && phi->getType()->isPointerTy() && phi->getParent() == loop.getHeader();
    return isPlace ? smallArrayOf(*phi) : nullptr;
  }

  /// Returns the array to which the phi points, as it does in a loop with two iterations, whose
  /// places LLVM computes in front of it.
  static const AllocaInst *smallArrayOf(const PHINode &phi) {
    const AllocaInst *array = smallArray(phi.getIncomingValue(0));
    bool isCommon =
        all_of(phi.incoming_values(), [&](const Use &place) { return smallArray(place) == array; });
    return isCommon ? array : nullptr;
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
