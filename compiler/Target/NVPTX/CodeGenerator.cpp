//===- CodeGenerator.cpp - Device LLVM IR to PTX --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "compiler/Target/NVPTX/VectorisableAccesses.h"

#include "compiler/DeviceIR/SharedTables.h"
#include "compiler/DeviceIR/WideCopies.h"
#include "compiler/Folding/FoldApproximations.h"
#include "compiler/Folding/FoldClamps.h"
#include "compiler/Folding/FoldPacking.h"
#include "compiler/Folding/FoldPowers.h"
#include "compiler/Folding/FoldRounded.h"
#include "compiler/Target/NVPTX/AsyncCopies.h"
#include "compiler/Target/NVPTX/AtomicPairs.h"
#include "compiler/Target/NVPTX/BackEndGaps.h"
#include "compiler/Target/NVPTX/BfloatRoundings.h"
#include "compiler/Target/NVPTX/BitCounts.h"
#include "compiler/Target/NVPTX/BranchSides.h"
#include "compiler/Target/NVPTX/ByteProducts.h"
#include "compiler/Target/NVPTX/ByteVectors.h"
#include "compiler/Target/NVPTX/CallNumbers.h"
#include "compiler/Target/NVPTX/ClosedSwitches.h"
#include "compiler/Target/NVPTX/CodedQuotients.h"
#include "compiler/Target/NVPTX/CodesByBits.h"
#include "compiler/Target/NVPTX/ConstantArrays.h"
#include "compiler/Target/NVPTX/CountedLoops.h"
#include "compiler/Target/NVPTX/CountedPointers.h"
#include "compiler/Target/NVPTX/DefinedPointers.h"
#include "compiler/Target/NVPTX/EarlyArithmetic.h"
#include "compiler/Target/NVPTX/EqualInstructions.h"
#include "compiler/Target/NVPTX/GapLoads.h"
#include "compiler/Target/NVPTX/GuardedDivisions.h"
#include "compiler/Target/NVPTX/HideDividends.h"
#include "compiler/Target/NVPTX/HostPointers.h"
#include "compiler/Target/NVPTX/InlineCalls.h"
#include "compiler/Target/NVPTX/JoinedConditions.h"
#include "compiler/Target/NVPTX/JointDivisions.h"
#include "compiler/Target/NVPTX/KeepNulls.h"
#include "compiler/Target/NVPTX/LocalAlignment.h"
#include "compiler/Target/NVPTX/LocalArrayLoops.h"
#include "compiler/Target/NVPTX/LoopAddresses.h"
#include "compiler/Target/NVPTX/LoopCounters.h"
#include "compiler/Target/NVPTX/LoopRests.h"
#include "compiler/Target/NVPTX/MathForms.h"
#include "compiler/Target/NVPTX/NarrowLoops.h"
#include "compiler/Target/NVPTX/Occupancy.h"
#include "compiler/Target/NVPTX/OffsetPointers.h"
#include "compiler/Target/NVPTX/OwnAssembly.h"
#include "compiler/Target/NVPTX/OwnVolatiles.h"
#include "compiler/Target/NVPTX/Polls.h"
#include "compiler/Target/NVPTX/Predicates.h"
#include "compiler/Target/NVPTX/Predication.h"
#include "compiler/Target/NVPTX/RowIndices.h"
#include "compiler/Target/NVPTX/RowPointers.h"
#include "compiler/Target/NVPTX/SelectedCases.h"
#include "compiler/Target/NVPTX/SelectedMemories.h"
#include "compiler/Target/NVPTX/SharedBases.h"
#include "compiler/Target/NVPTX/SignedIndices.h"
#include "compiler/Target/NVPTX/SmallSubnormals.h"
#include "compiler/Target/NVPTX/SplitIndices.h"
#include "compiler/Target/NVPTX/SplitWords.h"
#include "compiler/Target/NVPTX/StreamMarks.h"
#include "compiler/Target/NVPTX/UniformConditions.h"
#include "compiler/Target/NVPTX/WarpBarriers.h"
#include "compiler/Target/Pipeline.h"
#include "compiler/Target/SumOrder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <mutex>
#include <utility>

using namespace llvm;

namespace regrain::nvptx {

static constexpr const char tripleText[] = "nvptx64-nvidia-cuda";

/// Returns LLVM's NVPTX target, which is set up once per process.
static const Target *nvptxTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    setLLVMOption("enable-memcpyopt-without-libcalls", "true");
  });
  std::string error;
  return TargetRegistry::lookupTarget(tripleText, error);
}

std::string chipFor(StringRef arch) {
  StringRef digits = arch;
  unsigned number = 0;
  if (!digits.consume_front("sm_"))
    return {};
  digits = digits.rtrim("af");
  if (digits.getAsInteger(10, number) || number < 50 || number > 999)
    return {};
  const Target *target = nvptxTarget();
  if (!target)
    return {};
  std::unique_ptr<MCSubtargetInfo> chips(target->createMCSubtargetInfo(tripleText, "", ""));
  if (chips->isCPUStringValid(arch))
    return arch.str();
  for (; number >= 50; --number)
    if (std::string chip = "sm_" + std::to_string(number); chips->isCPUStringValid(chip))
      return chip;
  return {};
}

/// Sets what LLVM reads from an option of the process when it creates a machine.
static void choose(StringRef name, bool value) {
  auto &options = cl::getRegisteredOptions();
  if (auto option = options.find(name); option != options.end())
    static_cast<cl::opt<bool> *>(option->second)->setValue(value);
}

std::unique_ptr<TargetMachine> createMachine(const MachineSettings &settings) {
  const Target *target = nvptxTarget();
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = settings.fuseMultiplyAdd ? FPOpFusion::Fast : FPOpFusion::Standard;
  std::string features;
  if (settings.ptxVersion)
    features = "+ptx" + std::to_string(settings.ptxVersion);
  static std::mutex creation;
  std::lock_guard lock(creation);
  choose("nvptx-sched4reg", settings.sparesRegisters); // how instructions are ordered
  choose("nvptx-short-ptr", true);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(tripleText, settings.chip, features, options, Reloc::Static,
                                  std::nullopt, codeGenLevel(settings.optLevel)));
  choose("nvptx-short-ptr", false); // clang compares its own machine's layout with its target's
  return machine;
}

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
    if (choices.predicatesBranches)
      passes.addPass(PredicateBranches());
    else
      passes.addPass(SelectedMemories());
  });
}

static void widenIndices(PassBuilder &builder) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &passes, OptimizationLevel at) {
        if (at == OptimizationLevel::O0)
          return;
        passes.addPass(createModuleToFunctionPassAdaptor(WidenSplitIndices()));
        passes.addPass(createModuleToFunctionPassAdaptor(WidenRowIndices()));
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
    add(WideCopies(WideCopies::Time::AfterSroa));
    add(SplitWords());
    add(SelectCases());
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
    add(JointDivisions());
    add(DefinePointers());
    add(AlignLocals());
    add(KeepNulls());
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
    widenIndices(builder);
    chooseUnrolling(builder, choices.unrolling);
    if (choices.reordersSums)
      splitSums(builder);
    keepNarrowLoops(builder);
    countBitsAtOnce(builder);
    unswitchUniformConditions(builder);
    unrollOverLocalArrays(builder);
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
  copyAsynchronously(module, capability);
  copyToShortAddresses(module);
  widenDivisions(module);
  markPolls(module);
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

/// Adds the code generator's passes, as addPassesToEmitFile does, with those that mark accesses.
static bool addCodeGenerator(legacy::PassManager &passes, LLVMTargetMachine &machine,
                             raw_pwrite_stream &stream, bool sparesRegisters) {
  auto *functions = new MachineModuleInfoWrapperPass(&machine);
  TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  if (sparesRegisters)
    config->disablePass(&MachineSinkingID);
  config->substitutePass(&MachineCSEID, createJoinEqualInstructions());
  // On the way to the selection of instructions, this is the last pass that always runs.
  config->insertPass(&StackProtector::ID, createKeepStreamed());
  if (machine.getOptLevel() != CodeGenOptLevel::None) {
    config->insertPass(&StackProtector::ID, createShowCounters());
    config->insertPass(&StackProtector::ID, createUsePredicates());
    config->insertPass(&StackProtector::ID, createCountPointers());
    config->insertPass(&StackProtector::ID, createOffsetPointers());
    config->insertPass(&StackProtector::ID, createChainRowPointers());
    config->insertPass(&StackProtector::ID, createCountDown());
    config->insertPass(&StackProtector::ID,
                       createJoinByteProducts(capabilityOf(machine.getTargetCPU())));
    std::unique_ptr<Pass> spaces(createInferAddressSpacesPass());
    config->insertPass(spaces->getPassID(),
                       createJoinAtomicPairs(capabilityOf(machine.getTargetCPU())));
  }
  passes.add(config);
  passes.add(functions);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  passes.add(createMarkStreamed());
  if (machine.getOptLevel() != CodeGenOptLevel::None)
    passes.add(createJumpToTrueSides());
  if (machine.addAsmPrinter(passes, stream, nullptr, CodeGenFileType::AssemblyFile,
                            functions->getMMI().getContext()))
    return false;
  passes.add(createFreeMachineFunctionPass());
  return true;
}

Expected<std::vector<char>> emitPtx(Module &module, TargetMachine &machine, LoopAddresses addresses,
                                    const CacheHints &hints, bool sparesRegisters) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  CodeGenPasses passes;
  passes.add(createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(new TargetLibraryInfoWrapperPass(Triple(module.getTargetTriple())));
  if (!addCodeGenerator(passes, static_cast<LLVMTargetMachine &>(machine), stream, sparesRegisters))
    return createStringError("LLVM's NVPTX target writes no PTX");
  LoopGate gate(module.getContext(), /*keepsIndices=*/addresses == LoopAddresses::Indexed);
  passes.run(module);
  std::string ptx = renumberCalls(writeHints(text, hints));
  return std::vector<char>(ptx.c_str(), ptx.c_str() + ptx.size() + 1);
}

/// Returns a compile unit like `unit` that produces `.loc` directives but no DWARF, because DWARF
/// would make ptxas build for a debugger.
static DICompileUnit *directivesOnly(DICompileUnit &unit) {
  return DICompileUnit::getDistinct(
      unit.getContext(), unit.getSourceLanguage(), unit.getFile(), unit.getProducer(),
      unit.isOptimized(), unit.getFlags(), unit.getRuntimeVersion(), "",
      DICompileUnit::DebugDirectivesOnly, nullptr, nullptr, nullptr, nullptr, nullptr,
      /*DWOId=*/0, unit.getSplitDebugInlining(), /*DebugInfoForProfiling=*/false,
      unit.getNameTableKind(), /*RangesBaseAddress=*/false, unit.getSysRoot(), unit.getSDK());
}

void reduceDebugInfo(Module &module, bool keepLines) {
  if (!keepLines) {
    StripDebugInfo(module);
    return;
  }
  stripNonLineTableDebugInfo(module);
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  DebugInfoFinder finder;
  finder.processModule(module);
  for (unsigned index = 0; index < units->getNumOperands(); ++index) {
    auto *old = cast<DICompileUnit>(units->getOperand(index));
    DICompileUnit *unit = directivesOnly(*old);
    units->setOperand(index, unit);
    for (DISubprogram *subprogram : finder.subprograms())
      if (subprogram->getUnit() == old)
        subprogram->replaceUnit(unit);
  }
}

} // namespace regrain::nvptx
