//===- Generate.cpp - A device module to PTX ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Generate.h"

#include "compiler/DeviceIR/CastShared.h"
#include "compiler/DeviceIR/FuseProducts.h"
#include "compiler/DeviceIR/RepeatedFunctions.h"
#include "compiler/Target/AddressSlots.h"
#include "compiler/Target/DriverFunctions.h"
#include "compiler/Target/NVPTX/Arithmetic/FastMath.h"
#include "compiler/Target/NVPTX/Calls/InlineCalls.h"
#include "compiler/Target/NVPTX/Calls/MathCalls.h"
#include "compiler/Target/NVPTX/Chip/MissingInstructions.h"
#include "compiler/Target/NVPTX/Memory/CachedLoads.h"
#include "compiler/Target/NVPTX/Memory/IntrinsicSpaces.h"
#include "compiler/Target/NVPTX/Memory/TestedParameters.h"
#include "compiler/Target/NVPTX/Memory/UniteShared.h"
#include "compiler/Target/NVPTX/PtxText/PtxNames.h"
#include "compiler/Target/NVPTX/PtxText/PtxVersion.h"
#include "compiler/Target/ObjectCode.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain::nvptx {

struct PtxGenerator::Work {
  Module &module;
  ArrayRef<std::string> kernels;
  const CodegenOptions &options;
  bool isBase;
  RefusedKernels &refused;
  CacheHints hints;
  CodeChoices choices;
  bool isApart; ///< shared arrays stay apart
  Repeated repeated;
  MathSource math = MathSource::None;
  bool decidesLate = false; ///< which products are fused
  MachineSettings settings = {};
};

/// Returns whether the function may be left undefined: the driver provides it, or LLVM replaces it.
static bool needsNoDefinition(StringRef name) {
  return driverDefines(name) || name == "__nvvm_reflect";
}

MachineSettings PtxGenerator::settingsFor(const CodegenOptions &options, MathSource math,
                                          bool isFixed) const {
  MachineSettings settings;
  settings.chip = chipFor(arch);
  settings.optLevel = options.optLevel;
  // libclc computes the error of a product by a second operation, which fusing the first one would
  // falsify.
  settings.fuseMultiplyAdd = options.fuseMultiplyAdd && math != MathSource::Libclc && !isFixed;
  return settings;
}

/// Links the math library. If `isFixed`, this carries out which products are fused, and decides it
/// for the library's own functions. libdevice does not say what may be contracted: -fmad does.
static Expected<MathSource> linkMath(Module &module, const Toolkit &toolkit, bool isFixed,
                                     bool fuses) {
  SmallPtrSet<const Function *, 16> own;
  for (const Function &function : module)
    if (!function.isDeclaration())
      own.insert(&function);
  Expected<MathSource> math = linkDeviceMath(module, toolkit);
  if (!math || !isFixed)
    return math;
  for (Function &function : module) {
    if (!fuses || function.isDeclaration() || own.contains(&function))
      continue;
    if (*math == MathSource::Libdevice)
      allowContraction(function);
    fuseProducts(function);
  }
  settleProducts(module, [&](Type *) { return fuses; });
  return math;
}

/// Decides which products are fused in a module for which that was not done before the passes.
/// libclc's operations say themselves what may be contracted.
static void decideProducts(Module &module, MathSource math) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (math != MathSource::Libclc)
      allowContraction(function);
    fuseProducts(function);
  }
  settleProducts(module, [](Type *) { return true; });
}

static CacheHints cacheHintsOf(const Module &module, ArrayRef<std::string> kernels) {
  return {wordFor(module, kernels, "regrain-loads"), wordFor(module, kernels, "regrain-prefetch")};
}

/// Refuses the kernels if the refusal says so.
static void refuseAll(ArrayRef<std::string> kernels, const std::optional<Refusal> &refusal,
                      RefusedKernels &refused) {
  if (refusal)
    for (const std::string &symbol : kernels)
      refused.try_emplace(symbol, *refusal);
}

/// Returns the kernels that were not removed.
static SmallVector<Function *> functionsOf(Module &module, ArrayRef<std::string> kernels) {
  SmallVector<Function *> functions;
  for (const std::string &symbol : kernels)
    if (Function *kernel = module.getFunction(symbol))
      functions.push_back(kernel);
  return functions;
}

/// Returns PTX of the version that the module needs, for the chip that was asked for.
Expected<std::vector<char>> PtxGenerator::writePtx(Module &module, MachineSettings settings,
                                                   LoopAddresses addresses,
                                                   const CacheHints &hints) const {
  settings.ptxVersion = std::max(requiredPtxVersion(module), requiredPtxVersion(hints));
  Expected<std::vector<char>> ptx =
      emitPtx(module, *createMachine(settings), addresses, hints, settings.sparesRegisters);
  if (!ptx || settings.chip == arch)
    return ptx;
  std::string own = retarget(ptx->data(), arch);
  return std::vector<char>(own.c_str(), own.c_str() + own.size() + 1);
}

/// Makes the module complete: mathematics, slots, and only what the chip has.
Error PtxGenerator::prepare(Work &work) const {
  Module &module = work.module;
  const CodegenOptions &options = work.options;
  findMissingInstructions(module, work.kernels, arch, work.refused);
  if (options.debugInfo != DebugInfo::Full)
    reduceDebugInfo(module, /*keepLines=*/options.debugInfo == DebugInfo::Lines);
  if (options.fastMath)
    flushToZero(module);
  if (options.optLevel > 0)
    inlineCalls(module, work.repeated);
  if (std::unique_ptr<TargetMachine> machine = createMachine({.chip = chipFor(arch)});
      machine && options.optLevel > 0)
    shareMathCalls(module, *machine);
  bool isFixed = !work.isBase || areProductsFixed(module);
  Expected<MathSource> math = linkMath(module, toolkit, isFixed, options.fuseMultiplyAdd);
  if (!math)
    return math.takeError();
  answerForRoots(module, /*areExact=*/!options.fastMath);
  if (!work.isBase)
    reachVariablesThroughSlots(module, work.kernels, work.refused);
  work.math = *math;
  work.decidesLate = !isFixed && options.fuseMultiplyAdd && options.optLevel > 0;
  work.settings = settingsFor(options, *math, isFixed || work.decidesLate);
  findUnresolved(module, work.kernels, needsNoDefinition, work.refused);
  refuseAll(work.kernels, refuseHints(work.hints, arch), work.refused);
  removeKernels(module, work.refused, needsNoDefinition);
  makeNamesLegal(module);
  return Error::success();
}

Error PtxGenerator::optimise(Work &work) const {
  Module &module = work.module;
  unsigned level = work.options.optLevel;
  std::unique_ptr<TargetMachine> machine = createMachine(work.settings);
  if (!machine)
    return createStringError("LLVM was built without its NVPTX target");
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  if (level > 0) {
    alignCastShared(module, functionsOf(module, work.kernels), mostDeclaredShared);
    alignDynamicShared(module);
  }
  optimize(module, *machine, level, work.choices);
  if (work.options.fastMath)
    approximateDivisions(module);
  if (work.decidesLate)
    decideProducts(module, work.math);
  if (level > 0) {
    nameIntrinsicSpaces(module);
    markTestedParameters(module);
  }
  if (!work.isBase) {
    findFunctionPointers(module, work.kernels, work.refused);
    showCachedLoads(module);
    alignShared(module, work.kernels, mostDeclaredShared);
  }
  findTooMuchShared(module, work.kernels, mostDeclaredShared, work.refused);
  removeKernels(module, work.refused, needsNoDefinition);
  if (!work.isBase && !work.isApart)
    uniteShared(module, work.kernels);
  if (!work.isBase || (level > 0 && hasAlignedShared(module)))
    inferSharedAlignment(module, *machine);
  return Error::success();
}

Expected<Generated> PtxGenerator::generate(Work &work) const {
  Module &module = work.module;
  const CodegenOptions &options = work.options;
  mlir::TimingScope timing = options.time(optimisePhase);
  if (Error error = prepare(work))
    return std::move(error);
  if (Error error = optimise(work))
    return std::move(error);
  timing = options.time(generatePhase);
  bool mayWriteAgain = isAssembled && options.optLevel > 0;
  std::unique_ptr<Module> again = mayWriteAgain ? CloneModule(module) : nullptr;
  LoopAddresses addresses = work.choices.addresses;
  Expected<std::vector<char>> ptx = writePtx(module, work.settings, addresses, work.hints);
  if (!ptx)
    return ptx.takeError();
  if (!hasHints(ptx->data(), work.hints))
    refuseAll(work.kernels,
              Refusal{RefusalKind::NothingHinted,
                      "no load from global memory is left that could have the hint"},
              work.refused);
  return Generated{std::move(*ptx), std::move(again), work.settings, addresses, work.hints};
}

/// Functions that stay are tried first: only the code shows whether a kernel that calls them has
/// local memory.
Expected<Generated> PtxGenerator::generate(std::unique_ptr<Module> &module,
                                           ArrayRef<std::string> kernels,
                                           const CodegenOptions &options, bool isBase,
                                           RefusedKernels &refused) const {
  auto generateAs = [&](Repeated repeated) {
    Work work = {*module,
                 kernels,
                 options,
                 isBase,
                 refused,
                 cacheHintsOf(*module, kernels),
                 choicesOf(*module, kernels),
                 wordFor(*module, kernels, "regrain-shared") == "apart",
                 repeated};
    return generate(work);
  };
  if (options.optLevel == 0 || findRepeatedFunctions(*module).empty())
    return generateAs(Repeated::AreInlined);
  std::unique_ptr<Module> original = CloneModule(*module);
  RefusedKernels refusedBefore = refused;
  Expected<Generated> generated = generateAs(Repeated::Stay);
  if (!generated || !callsBesideLocalMemory(*module, generated->ptx.data()))
    return generated;
  module = std::move(original);
  refused = std::move(refusedBefore);
  return generateAs(Repeated::AreInlined);
}

Expected<std::vector<char>> PtxGenerator::inOtherOrder(Generated &generated) const {
  generated.settings.sparesRegisters = true;
  return writePtx(*generated.again, generated.settings, generated.addresses, generated.hints);
}

} // namespace regrain::nvptx
