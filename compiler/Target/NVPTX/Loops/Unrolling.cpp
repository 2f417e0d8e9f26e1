//===- Unrolling.cpp - How loops are unrolled -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/Unrolling.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Target/NVPTX/Calls/OwnAssembly.h"
#include "compiler/Target/NVPTX/Loops/EarlyCounters.h"
#include "compiler/Target/NVPTX/Loops/IterationSize.h"
#include "compiler/Target/NVPTX/Loops/LoopRests.h"
#include "compiler/Target/NVPTX/Loops/SearchLoops.h"
#include "compiler/Target/NVPTX/Loops/UniformLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The most bits that an unrolled loop may hold around it: half of a thread's registers if 1024
/// threads are resident.
constexpr uint64_t mostHeldBits = 32 * 32;

/// Returns whether the program leaves it to the compiler how the loop is unrolled.
bool isFree(const Loop &loop) { return hasUnrollTransformation(&loop) == TM_Unspecified; }

/// Returns whether the instruction converts from or to numbers with a fraction.
bool convertsFraction(const CastInst &cast) {
  return cast.getOpcode() != Instruction::BitCast &&
         (cast.getSrcTy()->isFPOrFPVectorTy() || cast.getDestTy()->isFPOrFPVectorTy());
}

/// Returns whether the instruction remains in unrolled code, and is no offset of an access.
/// Elements of arrays of the thread at constant places are registers there.
bool remains(const Instruction &instruction, const Loop &loop) {
  if (auto *branch = dyn_cast<BranchInst>(&instruction))
    return branch->isConditional();
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction)) // from a pointer that was loaded
    return isa<LoadInst>(address->getPointerOperand()->stripPointerCasts()) &&
           !loop.isLoopInvariant(address->getPointerOperand());
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return convertsFraction(*cast);
  if (const Value *pointer = getLoadStorePointerOperand(&instruction))
    return !isa<AllocaInst>(pointer->stripInBoundsConstantOffsets());
  return !isa<PHINode, DbgInfoIntrinsic, LifetimeIntrinsic>(instruction);
}

/// Returns the instructions of one iteration that remain; nothing if the loop calls functions.
std::optional<uint64_t> sizeOf(const Loop &loop) {
  constexpr uint64_t ofCounter = 3; // addition, comparison and branch
  uint64_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (callsFunction(instruction))
        return std::nullopt;
      size += sizeOfAssembly(instruction).value_or(remains(instruction, loop));
    }
  return size - std::min(size, ofCounter);
}

/// Returns whether what is loaded is never written, and is not known to the compiler either.
bool isConstantMemory(const LoadInst &load) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects);
  return load.hasMetadata(LLVMContext::MD_invariant_load) ||
         all_of(objects, [](const Value *object) {
           auto *variable = dyn_cast<GlobalVariable>(object);
           return variable && !variable->isConstant() &&
                  variable->getAddressSpace() == constantSpace;
         });
}

/// Returns the bits that one iteration loads from constant memory at a place that depends on the
/// loop's counter alone, as far as `around` is concerned. If the loop is unrolled, such loads leave
/// the loop around it, and what they return is held throughout.
uint64_t bitsHeldAround(const Loop &loop, const Loop &around, ScalarEvolution &evolution) {
  const DataLayout &layout = loop.getHeader()->getDataLayout();
  uint64_t bits = 0;
  auto isCounted = [&](const SCEV *place) {
    return !SCEVExprContains(place, [&](const SCEV *part) {
      if (auto *counter = dyn_cast<SCEVAddRecExpr>(part))
        return counter->getLoop() != &loop;
      return isa<SCEVUnknown>(part) && !evolution.isLoopInvariant(part, &around);
    });
  };
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && isConstantMemory(*load)) {
        const SCEV *place = evolution.getSCEV(const_cast<Value *>(load->getPointerOperand()));
        if (!evolution.isLoopInvariant(place, &loop) && isCounted(place))
          bits += layout.getTypeSizeInBits(load->getType());
      }
  return bits;
}

/// Marks loops before LLVM decides which ones it unrolls completely.
class MarkFullLoops : public PassInfoMixin<MarkFullLoops> {
public:
  explicit MarkFullLoops(Unrolling unrolling) : unrolling(unrolling) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (!isFree(loop))
      return PreservedAnalyses::all();
    if (unrolling.factor == 1)
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    else if (isShort(loop, results.SE))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }

private:
  bool isShort(const Loop &loop, ScalarEvolution &evolution) const {
    uint64_t trips = evolution.getSmallConstantTripCount(&loop);
    if (trips <= 1 || !loop.isInnermost())
      return false;
    const Loop *around = unrolling.isAsked() ? nullptr : loop.getParentLoop();
    if (around && bitsHeldAround(loop, *around, evolution) * trips > mostHeldBits)
      return false;
    std::optional<uint64_t> size = sizeOf(loop);
    return size && *size * trips <= unrolling.mostOfFull;
  }

  Unrolling unrolling;
};

/// Returns whether threads must run an instruction of the loop together. LLVM then adds no code for
/// the rest of the iterations, and warns that a mark was in vain.
bool isConvergent(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      return call && (call->isConvergent() || call->cannotDuplicate());
    });
  });
}

/// The loop metadata that says that a counter may wrap around, with a step that is known or not.
constexpr char wrapsAround[] = "regrain.wraps-around", stepsUnknown[] = "regrain.steps-unknown";

/// Returns the mark for a loop in which the value counts in steps of other than 1 that may wrap
/// around; an empty one for other values.
StringRef wrappingMark(const Value *value, const Loop &loop) {
  auto isCounter = [&](const Value *one) {
    auto *phi = dyn_cast<PHINode>(one);
    return phi && phi->getParent() == loop.getHeader() && loop.getLoopLatch();
  };
  if (isCounter(value))
    value = cast<PHINode>(value)->getIncomingValueForBlock(loop.getLoopLatch());
  auto *sum = dyn_cast<OverflowingBinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::Add || sum->hasNoUnsignedWrap() ||
      sum->hasNoSignedWrap())
    return {};
  if (auto *step = dyn_cast<ConstantInt>(sum->getOperand(1)))
    return step->getValue().abs().isOne() ? StringRef() : wrapsAround;
  return any_of(sum->operand_values(), isCounter) ? stepsUnknown : StringRef();
}

/// Marks the loops whose counter may wrap around before they end, as far as the program says: LLVM
/// concludes later that they end. nvcc does not unroll such loops, because they may run forever.
class MarkWrappingLoops : public PassInfoMixin<MarkWrappingLoops> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (loop->isInnermost())
        mark(*loop);
    return PreservedAnalyses::all(); // metadata of a loop is part of no analysis
  }

private:
  static void mark(Loop &loop) {
    const BasicBlock *exiting = loop.getExitingBlock();
    auto *branch = exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
    auto *end =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!end)
      return;
    for (const Value *value : end->operand_values())
      if (StringRef name = wrappingMark(value, loop); !name.empty())
        addStringMetadataToLoop(&loop, name.data());
  }
};

/// Marks innermost loops that are not unrolled completely, as far as nvcc unrolls them.
class MarkPartialLoops : public PassInfoMixin<MarkPartialLoops> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    std::optional<uint64_t> size =
        loop.isInnermost() && isFree(loop) ? sizeOfIteration(loop) : std::nullopt;
    if (!size)
      return PreservedAnalyses::all();
    uint64_t trips = results.SE.getSmallConstantTripCount(&loop);
    bool needsUniformity = trips == 0 && isConvergent(loop);
    if (needsUniformity) {
      trustCounter(loop, results.SE);
      *size += fixedAddresses(loop);
    }
    if (trips == 0 && !isCounted(loop, results.SE))
      return PreservedAnalyses::all();
    uint64_t factor = trips == 0 ? factorOfUnknownLength(*size) : factorOf(trips, *size);
    if (trips == 0 && !needsUniformity && mayRunForever(loop, factor))
      return PreservedAnalyses::all();
    if (factor > 1 && needsUniformity)
      addStringMetadataToLoop(&loop, unrolledIfUniform, unsigned(factor));
    else if (factor > 1)
      mark(loop, unsigned(factor));
    return PreservedAnalyses::all();
  }

private:
  /// Returns whether the loop stays because its counter may wrap around. If the step is not known,
  /// it is mostly the number of threads, so that few iterations follow a division that counts them.
  /// If it is known, four iterations at a time gain. With two, lanes with an odd number would run
  /// the rest apart from the others.
  static bool mayRunForever(const Loop &loop, uint64_t factor) {
    return findStringMetadataForLoop(&loop, stepsUnknown) ||
           (factor == 2 && findStringMetadataForLoop(&loop, wrapsAround));
  }

  /// Marks the loop, what remains of it as a loop that ptxas may unroll further if it has no
  /// conditions, and the loop for the rest of the iterations as one that is unrolled, if it is run
  /// again and again. Loops with conditions are mostly short, as those over filters, and ptxas
  /// would ask in front of them for 16 iterations.
  static void mark(Loop &loop, unsigned factor) {
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", factor);
    LLVMContext &context = loop.getHeader()->getContext();
    bool hasConditions = loop.getNumBlocks() > 1;
    auto *remaining =
        MDNode::get(context, MDString::get(context, hasConditions ? "llvm.loop.unroll.disable"
                                                                  : "regrain.unrolled"));
    auto followup = [&](StringRef name, MDNode *mark) {
      return MDNode::get(context, {MDString::get(context, name), mark});
    };
    SmallVector<MDNode *, 2> marks = {followup("llvm.loop.unroll.followup_unrolled", remaining)};
    if (loop.getParentLoop())
      marks.push_back(followup("llvm.loop.unroll.followup_remainder",
                               MDNode::get(context, MDString::get(context, unrolledRest))));
    loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {}, marks));
  }

  /// Returns whether the number of iterations is known before the first one, and may be so large
  /// that LLVM does not unroll the loop completely.
  static bool isCounted(const Loop &loop, ScalarEvolution &evolution) {
    constexpr unsigned unrolledToBound = 7;
    unsigned bound = evolution.getSmallConstantMaxTripCount(&loop);
    return loop.getExitingBlock() && (bound == 0 || bound > unrolledToBound) &&
           !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
  }

  /// Returns the largest power of two that divides the loop's length.
  static uint64_t factorOf(uint64_t trips, uint64_t size) {
    uint64_t factor = bit_floor(std::min(trips, mostOfPartialLoop / size));
    while (factor > 1 && trips % factor != 0)
      factor /= 2;
    return factor;
  }

  static uint64_t factorOfUnknownLength(uint64_t size) {
    constexpr uint64_t most = 4;
    return std::min(most, bit_floor(mostOfPartialLoop / size));
  }
};

/// Marks innermost loops with barriers or shuffles for which the program gives a factor that LLVM
/// would need code for the rest of the iterations for.
class MarkAskedLoops : public PassInfoMixin<MarkAskedLoops> {
public:
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    std::optional<int> asked = getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
    if (!asked || *asked < 2 || !loop.isInnermost() || !isConvergent(loop) ||
        isLeftToLLVM(loop, unsigned(*asked), results.SE))
      return PreservedAnalyses::all();
    uint64_t size = 0;
    for (const BasicBlock *block : loop.blocks())
      size += block->sizeWithoutDebug();
    if (size * uint64_t(*asked) > mostOfAskedLoop)
      return PreservedAnalyses::all();
    trustCounter(loop, results.SE);
    addStringMetadataToLoop(&loop, unrolledIfUniform, unsigned(*asked));
    return PreservedAnalyses::all();
  }

private:
  /// Returns whether no iterations are left over, or there are too few of them for the factor.
  static bool isLeftToLLVM(const Loop &loop, unsigned factor, ScalarEvolution &evolution) {
    unsigned bound = evolution.getSmallConstantMaxTripCount(&loop);
    return (bound != 0 && bound <= factor) ||
           evolution.getSmallConstantTripMultiple(&loop) % factor == 0;
  }

  static constexpr uint64_t mostOfAskedLoop = 16384; ///< LLVM's own limit for loops with a factor
};

/// Marks the loops that are still there when LLVM has unrolled others completely.
class MarkRemainingLoops : public PassInfoMixin<MarkRemainingLoops> {
public:
  explicit MarkRemainingLoops(unsigned factor) : factor(factor) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &,
                        LPMUpdater &) {
    if (loop.isInnermost() && isFree(loop))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", factor);
    return PreservedAnalyses::all();
  }

private:
  unsigned factor;
};

} // namespace

Unrolling Unrolling::of(StringRef word) {
  Unrolling unrolling;
  if (word == "full")
    unrolling.mostOfFull = mostOfFullLoop;
  else if (word == "none")
    unrolling.factor = 1;
  else if (word == "search")
    unrolling.searches = true;
  else
    word.getAsInteger(10, unrolling.factor);
  return unrolling;
}

void chooseUnrolling(PassBuilder &builder, Unrolling unrolling) {
  builder.registerLateLoopOptimizationsEPCallback(
      [unrolling](LoopPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          passes.addPass(MarkFullLoops(unrolling));
      });
  if (unrolling.searches)
    builder.registerVectorizerStartEPCallback(
        [](FunctionPassManager &passes, OptimizationLevel level) {
          if (level.getSpeedupLevel() < 2)
            return;
          passes.addPass(EarlyCounters());
          passes.addPass(SearchLoops());
        });
  if (unrolling.factor > 1)
    builder.registerVectorizerStartEPCallback(
        [factor = unrolling.factor](FunctionPassManager &passes, OptimizationLevel) {
          passes.addPass(createFunctionToLoopPassAdaptor(MarkRemainingLoops(factor)));
        });
  else if (unrolling.factor == 0) {
    builder.registerPipelineEarlySimplificationEPCallback(
        [](ModulePassManager &passes, OptimizationLevel level) {
          if (level.getSpeedupLevel() > 1) // before LLVM concludes anything from ranges
            passes.addPass(createModuleToFunctionPassAdaptor(MarkWrappingLoops()));
        });
    builder.registerVectorizerStartEPCallback(
        [](FunctionPassManager &passes, OptimizationLevel level) {
          if (level.getSpeedupLevel() < 2)
            return;
          passes.addPass(createFunctionToLoopPassAdaptor(MarkPartialLoops()));
        });
  }
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() < 2)
          return;
        passes.addPass(createFunctionToLoopPassAdaptor(MarkAskedLoops()));
        passes.addPass(UnrollUniformLoops());
      });
}

} // namespace regrain::nvptx
