//===- Optimize.cpp - LLVM's and own passes for NVIDIA GPUs ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Optimize.h"

#include "compiler/DeviceIR/SharedTables.h"
#include "compiler/DeviceIR/WideCopies.h"
#include "compiler/Folding/FoldApproximations.h"
#include "compiler/Folding/FoldClamps.h"
#include "compiler/Folding/FoldPacking.h"
#include "compiler/Folding/FoldPowers.h"
#include "compiler/Folding/FoldRounded.h"
#include "compiler/Target/NVPTX/Addresses/AddressChains.h"
#include "compiler/Target/NVPTX/Addresses/DefinedPointers.h"
#include "compiler/Target/NVPTX/Addresses/EarlyCasts.h"
#include "compiler/Target/NVPTX/Addresses/HostPointers.h"
#include "compiler/Target/NVPTX/Addresses/KeepNulls.h"
#include "compiler/Target/NVPTX/Addresses/LoopAddresses.h"
#include "compiler/Target/NVPTX/Addresses/RowIndices.h"
#include "compiler/Target/NVPTX/Addresses/SharedBases.h"
#include "compiler/Target/NVPTX/Addresses/SignedIndices.h"
#include "compiler/Target/NVPTX/Addresses/SplitIndices.h"
#include "compiler/Target/NVPTX/Addresses/SwizzledOffsets.h"
#include "compiler/Target/NVPTX/Arithmetic/BfloatRoundings.h"
#include "compiler/Target/NVPTX/Arithmetic/CodedQuotients.h"
#include "compiler/Target/NVPTX/Arithmetic/CodesByBits.h"
#include "compiler/Target/NVPTX/Arithmetic/EarlyArithmetic.h"
#include "compiler/Target/NVPTX/Arithmetic/GuardedDivisions.h"
#include "compiler/Target/NVPTX/Arithmetic/JointDivisions.h"
#include "compiler/Target/NVPTX/Arithmetic/MathForms.h"
#include "compiler/Target/NVPTX/Arithmetic/SmallSubnormals.h"
#include "compiler/Target/NVPTX/BackEnd/BackEndGaps.h"
#include "compiler/Target/NVPTX/Calls/InlineCalls.h"
#include "compiler/Target/NVPTX/Calls/OwnAssembly.h"
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "compiler/Target/NVPTX/ControlFlow/ClosedSwitches.h"
#include "compiler/Target/NVPTX/ControlFlow/GuardedCopies.h"
#include "compiler/Target/NVPTX/ControlFlow/JoinedConditions.h"
#include "compiler/Target/NVPTX/ControlFlow/Predication.h"
#include "compiler/Target/NVPTX/ControlFlow/SelectedCases.h"
#include "compiler/Target/NVPTX/ControlFlow/SplitJoins.h"
#include "compiler/Target/NVPTX/ControlFlow/UniformConditions.h"
#include "compiler/Target/NVPTX/ControlFlow/WarpBarriers.h"
#include "compiler/Target/NVPTX/Loops/BitCounts.h"
#include "compiler/Target/NVPTX/Loops/HideDividends.h"
#include "compiler/Target/NVPTX/Loops/LocalArrayLoops.h"
#include "compiler/Target/NVPTX/Loops/LoopCounters.h"
#include "compiler/Target/NVPTX/Loops/LoopRests.h"
#include "compiler/Target/NVPTX/Loops/NarrowLoops.h"
#include "compiler/Target/NVPTX/Loops/SharedReloads.h"
#include "compiler/Target/NVPTX/Loops/ShortLimits.h"
#include "compiler/Target/NVPTX/Memory/AsyncCopies.h"
#include "compiler/Target/NVPTX/Memory/BulkCopies.h"
#include "compiler/Target/NVPTX/Memory/ByteVectors.h"
#include "compiler/Target/NVPTX/Memory/CarriedWords.h"
#include "compiler/Target/NVPTX/Memory/ConstantArrays.h"
#include "compiler/Target/NVPTX/Memory/EarlyLoads.h"
#include "compiler/Target/NVPTX/Memory/GapLoads.h"
#include "compiler/Target/NVPTX/Memory/KeptParameters.h"
#include "compiler/Target/NVPTX/Memory/LoadOrder.h"
#include "compiler/Target/NVPTX/Memory/LocalAlignment.h"
#include "compiler/Target/NVPTX/Memory/OwnVolatiles.h"
#include "compiler/Target/NVPTX/Memory/PartlyIndexedArrays.h"
#include "compiler/Target/NVPTX/Memory/Polls.h"
#include "compiler/Target/NVPTX/Memory/SelectedMemories.h"
#include "compiler/Target/NVPTX/Memory/SplitWords.h"
#include "compiler/Target/NVPTX/Memory/VectorisableAccesses.h"
#include "compiler/Target/NVPTX/PtxText/StreamMarks.h"
#include "compiler/Target/Pipeline.h"
#include "compiler/Target/SumOrder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <utility>

using namespace llvm;

namespace regrain::nvptx {

std::string wordFor(const Module &module, ArrayRef<std::string> kernels, StringRef name) {
  for (const std::string &symbol : kernels)
    if (const Function *kernel = module.getFunction(symbol))
      return kernel->getFnAttribute(name).getValueAsString().str();
  return {};
}

CodeChoices choicesOf(const Module &module, ArrayRef<std::string> kernels) {
  CodeChoices choices;
  choices.addresses = StringSwitch<LoopAddresses>(wordFor(module, kernels, "regrain-addresses"))
                          .Case("indexed", LoopAddresses::Indexed)
                          .Case("wide", LoopAddresses::Wide)
                          .Default(LoopAddresses::Reduced);
  choices.unrolling = Unrolling::of(wordFor(module, kernels, "regrain-unroll"));
  choices.predicatesBranches = wordFor(module, kernels, "regrain-branches") == "predicated";
  choices.reordersSums = mayReorderSums(module, kernels);
  return choices;
}

/// Returns whether the module computes with numbers of which instructions take pairs.
static bool computesWithPairs(const Module &module) {
  return any_of(module,
                [](const Function &one) { return any_of(instructions(one), computesHalf); });
}

/// Up to how many accesses of a loop LLVM's pass for invariant code looks at. Its own limits of 100
/// and 250 leave the arrays of a thread in memory once the loops over them are unrolled.
static constexpr unsigned mostAccesses = 1000;

/// Vectors only serve pairs: of wider numbers, the hardware has no vectors, and a load that has
/// become one of a part of the neighbours is not joined with the other part.
static PipelineTuningOptions tuningOf(const Module &module, unsigned level) {
  PipelineTuningOptions tuning = tuningFor(level);
  tuning.SLPVectorization &= computesWithPairs(module);
  tuning.LicmMssaOptCap = tuning.LicmMssaNoAccForPromotionCap = mostAccesses;
  return tuning;
}

/// Adds what LLVM's own combining of instructions would otherwise undo, or do in another way.
static void combineOwnForms(PassBuilder &builder, const CodeChoices &choices, unsigned capability) {
  bool isFirst = true; // before LLVM reorders sums
  builder.registerPeepholeEPCallback([=](FunctionPassManager &passes, OptimizationLevel) mutable {
    if (std::exchange(isFirst, false))
      passes.addPass(SplitIndices());
    passes.addPass(UseKnownForms());
    passes.addPass(FoldApproximations());
    passes.addPass(FoldClamps());
    if (UseCodeConversions::areOf(capability))
      passes.addPass(UseCodeConversions());
    passes.addPass(FoldPowers());
    passes.addPass(FoldRounded());
    passes.addPass(FoldPacking());
    passes.addPass(WideCopies(WideCopies::Time::BeforeSroa));
    passes.addPass(ConstantArrays());
    passes.addPass(SwizzledOffsets());
    if (choices.predicatesBranches)
      passes.addPass(PredicateBranches());
    else
      passes.addPass(SelectedMemories());
  });
}

/// Adds what has to see loops that are unrolled completely, before LLVM combines instructions.
static void splitArrays(PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel at) {
        if (at.getSpeedupLevel() > 1)
          passes.addPass(PartlyIndexedArrays());
      });
}

static void widenIndices(PassBuilder &builder, LoopAddresses addresses) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [=](ModulePassManager &passes, OptimizationLevel at) {
        if (at == OptimizationLevel::O0)
          return;
        passes.addPass(createModuleToFunctionPassAdaptor(WidenSplitIndices()));
        passes.addPass(createModuleToFunctionPassAdaptor(
            WidenRowIndices(/*usesPointers=*/addresses == LoopAddresses::Reduced)));
      });
}

/// Adds what has to see numbers one by one, and loops that are unrolled completely.
static void shareBeforeVectors(PassBuilder &builder, unsigned capability) {
  builder.registerVectorizerStartEPCallback([=](FunctionPassManager &passes, OptimizationLevel at) {
    if (at == OptimizationLevel::O0 || !UseCodeConversions::areOf(capability))
      return;
    // What guards the codes of joined threads goes first, then their own conditions.
    for (unsigned round = 0; round < 2; ++round) {
      passes.addPass(UseCodeConversions());
      passes.addPass(SimplifyCFGPass());
    }
    passes.addPass(UseCodeConversions()); // signs
    passes.addPass(DCEPass());            // what else used the numbers
    passes.addPass(ShareReciprocals());
  });
}

/// Adds the passes over code that LLVM has optimised. Each one is run on all functions before the
/// next one.
static void finishFunctions(PassBuilder &builder, const CodeChoices &choices, unsigned capability) {
  builder.registerOptimizerLastEPCallback([=](ModulePassManager &passes, OptimizationLevel at) {
    if (at == OptimizationLevel::O0)
      return;
    auto add = [&](auto pass) {
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(pass)));
    };
    add(JoinConditions());
    add(UnrollRests());
    add(UseLimits());
    add(ShortLimits());
    add(WideCopies(WideCopies::Time::AfterSroa));
    add(SplitWords());
    add(CarryWords());
    add(SelectCases());
    add(CastEarly());
    add(ShortenAddressChains());
    add(VectorisableAccesses());
    add(GapLoads());
    add(SharedBases());
    add(HideDividends());
    add(ShareReciprocals()); // of codes that were recognised behind the vectors
    if (RoundInWords::areOf(capability))
      add(RoundInWords());
    add(EarlyArithmetic());
    add(SignedIndices());
    add(HostPointers());
    if (!choices.predicatesBranches)
      add(GuardedDivisions());
    if (JointDivisions::areOf(capability))
      add(JointDivisions());
    add(DefinePointers());
    add(AlignLocals());
    add(KeepNulls());
    add(SplitJoins());
    add(EarlyLoads());
    add(SharedReloads());
    add(GuardCopies());
    add(LoadOrder());
    add(WarpBarriers(capability));
  });
}

void optimize(Module &module, TargetMachine &machine, unsigned level, const CodeChoices &choices) {
  // Addresses in shared, constant and local memory have 32 bits here, as in nvcc's PTX.
  module.setDataLayout(machine.createDataLayout());
  keepRoundingTowardsZero(module);
  nameApproximations(module);
  keepStreamedVectors(module);
  if (level > 0) {
    releaseOwnAssembly(module);
    releaseOwnVolatiles(module);
  }
  unsigned capability = capabilityOf(machine.getTargetCPU());
  runPasses(module, machine, tuningOf(module, level), [&](PassBuilder &builder) {
    combineOwnForms(builder, choices, capability);
    widenIndices(builder, choices.addresses);
    chooseUnrolling(builder, choices.unrolling);
    if (choices.reordersSums)
      splitSums(builder);
    keepNarrowLoops(builder);
    countBitsAtOnce(builder);
    unswitchUniformConditions(builder);
    unrollOverLocalArrays(builder);
    splitArrays(builder);
    widenInductions(builder, choices.addresses == LoopAddresses::Wide ? WidenedLoops::All
                                                                      : WidenedLoops::Rows);
    shareBeforeVectors(builder, capability);
    finishFunctions(builder, choices, capability);
    return defaultPipeline(builder, level);
  });
  closeSwitches(module);
  storeSharedTables(module); // which LLVM makes of switches
  copySignsByBits(module);
  alignDynamicStackMemory(module);
  keepSmallSubnormals(module, capability);
  expandBulkCopies(module, capability);
  copyAsynchronously(module, capability);
  copyInBulk(module);
  copyToShortAddresses(module);
  widenDivisions(module);
  markPolls(module);
  keepParameters(module, capability, /*cachesLoads=*/level > 0);
}

void inferSharedAlignment(Module &module, TargetMachine &machine) {
  runPasses(module, machine, {}, [](PassBuilder &) {
    FunctionPassManager passes;
    passes.addPass(InferAddressSpacesPass());
    passes.addPass(InferAlignmentPass());
    ModulePassManager all;
    all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
    return all;
  });
}

} // namespace regrain::nvptx
