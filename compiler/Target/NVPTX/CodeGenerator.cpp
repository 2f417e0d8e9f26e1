//===- CodeGenerator.cpp - Device LLVM IR to PTX --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/CodeGenerator.h"

#include "compiler/Target/NVPTX/Addresses/CountedPointers.h"
#include "compiler/Target/NVPTX/Addresses/KeptPointers.h"
#include "compiler/Target/NVPTX/Addresses/LoopAddresses.h"
#include "compiler/Target/NVPTX/Addresses/OffsetPointers.h"
#include "compiler/Target/NVPTX/Addresses/RowPointers.h"
#include "compiler/Target/NVPTX/Arithmetic/ByteProducts.h"
#include "compiler/Target/NVPTX/BackEnd/BackEndGaps.h"
#include "compiler/Target/NVPTX/BackEnd/BitFields.h"
#include "compiler/Target/NVPTX/BackEnd/BlockSizes.h"
#include "compiler/Target/NVPTX/BackEnd/BranchSides.h"
#include "compiler/Target/NVPTX/BackEnd/DescendingLoops.h"
#include "compiler/Target/NVPTX/BackEnd/EqualInstructions.h"
#include "compiler/Target/NVPTX/BackEnd/HeldValues.h"
#include "compiler/Target/NVPTX/BackEnd/LocalFrames.h"
#include "compiler/Target/NVPTX/BackEnd/LoopStarts.h"
#include "compiler/Target/NVPTX/BackEnd/VariableOrder.h"
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "compiler/Target/NVPTX/ControlFlow/Predicates.h"
#include "compiler/Target/NVPTX/ControlFlow/SelectedDoubles.h"
#include "compiler/Target/NVPTX/Loops/CountedLoops.h"
#include "compiler/Target/NVPTX/Loops/LoopCounters.h"
#include "compiler/Target/NVPTX/Memory/AtomicPairs.h"
#include "compiler/Target/NVPTX/Memory/ByteVectors.h"
#include "compiler/Target/NVPTX/PtxText/CallNumbers.h"
#include "compiler/Target/NVPTX/PtxText/StreamMarks.h"
#include "compiler/Target/Pipeline.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils.h"
#include <mutex>

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

/// Adds the code generator's passes, as addPassesToEmitFile does, with those that mark accesses.
static bool addCodeGenerator(legacy::PassManager &passes, LLVMTargetMachine &machine,
                             raw_pwrite_stream &stream, bool sparesRegisters) {
  auto *functions = new MachineModuleInfoWrapperPass(&machine);
  TargetPassConfig *config = machine.createPassConfig(passes);
  config->setDisableVerify(!verifiesPasses());
  if (sparesRegisters)
    config->disablePass(&MachineSinkingID);
  config->substitutePass(&MachineCSEID, createJoinEqualInstructions());
  if (capabilityOf(machine.getTargetCPU()) >= 90)
    config->insertPass(&OptimizePHIsID, createShiftAndMaskFields());
  // On the way to the selection of instructions, this is the last pass that always runs.
  config->insertPass(&StackProtector::ID, createKeepStreamed());
  if (machine.getOptLevel() != CodeGenOptLevel::None) {
    config->insertPass(&PeepholeOptimizerID, createSinkHeldValues());
    config->insertPass(&PeepholeOptimizerID, createStartCountersNearby());
    config->insertPass(&PeepholeOptimizerID, createTestDescendingEnds());
    config->insertPass(&StackProtector::ID, createForgetLoadedSigns());
    config->insertPass(&StackProtector::ID, createShowCounters());
    config->insertPass(&StackProtector::ID, createUsePredicates());
    config->insertPass(&StackProtector::ID, createCountPointers());
    config->insertPass(&StackProtector::ID, createOffsetPointers());
    config->insertPass(&StackProtector::ID, createShowRowPointers());
    config->insertPass(&StackProtector::ID, createChainRowPointers());
    config->insertPass(&StackProtector::ID, createCountDown());
    config->insertPass(&StackProtector::ID,
                       createJoinByteProducts(capabilityOf(machine.getTargetCPU())));
    config->insertPass(&StackProtector::ID, createBranchOverDoubles());
    // It has no effect here (LoopGate), and strength reduction follows it.
    std::unique_ptr<Pass> before(createCanonicalizeFreezeInLoopsPass());
    config->insertPass(before->getPassID(), createHideRowPointers());
    std::unique_ptr<Pass> spaces(createInferAddressSpacesPass());
    // Each use of a pointer has a cast of its own then, which hides from strength reduction that
    // rows have one base.
    config->insertPass(spaces->getPassID(), createEarlyCSEPass());
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
  if (machine.getOptLevel() != CodeGenOptLevel::None) {
    passes.add(createUseLocalFrames());
    passes.add(createJumpToTrueSides());
    passes.add(createReadSizesFirst());
  }
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
  orderVariables(module);
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
