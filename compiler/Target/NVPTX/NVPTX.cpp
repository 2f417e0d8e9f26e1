//===- NVPTX.cpp - The back end for NVIDIA GPUs ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/NVPTX.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/DeviceIR/CastShared.h"
#include "compiler/DeviceIR/FuseProducts.h"
#include "compiler/Target/AddressSlots.h"
#include "compiler/Target/Diagnostics.h"
#include "compiler/Target/DriverFunctions.h"
#include "compiler/Target/FileDigest.h"
#include "compiler/Target/NVPTX/CachedLoads.h"
#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "compiler/Target/NVPTX/CompanionText.h"
#include "compiler/Target/NVPTX/DeviceMath.h"
#include "compiler/Target/NVPTX/FastMath.h"
#include "compiler/Target/NVPTX/InlineCalls.h"
#include "compiler/Target/NVPTX/InstructionOrder.h"
#include "compiler/Target/NVPTX/LaunchBounds.h"
#include "compiler/Target/NVPTX/NewerChips.h"
#include "compiler/Target/NVPTX/Occupancy.h"
#include "compiler/Target/NVPTX/PtxNames.h"
#include "compiler/Target/NVPTX/PtxVersion.h"
#include "compiler/Target/NVPTX/Ptxas.h"
#include "compiler/Target/NVPTX/UniteShared.h"
#include "compiler/Target/ObjectCode.h"
#include "compiler/Target/Reach.h"
#include "runtime/image/launch_limits.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace regrain::nvptx;

namespace regrain {

namespace {
/// The PTX of a module, and what it takes to write it in another order.
struct Generated {
  std::vector<char> ptx;
  std::unique_ptr<Module> again; ///< the optimised module; null if only the PTX is wanted
  MachineSettings settings;
  LoopAddresses addresses;
  CacheHints hints;
};

class NVPTXTarget final : public Target {
public:
  NVPTXTarget(StringRef targetName, StringRef arch, bool isCubin, Toolkit toolkit,
              unsigned ptxasSeconds)
      : targetName(targetName), arch(arch), isCubin(isCubin), toolkit(std::move(toolkit)),
        ptxasSeconds(ptxasSeconds) {}

  std::string name() const override { return targetName; }
  bool takesFixedProducts() const override { return true; }
  /// The limits of every chip since compute capability 3.0.
  TargetLimits limits() const override {
    return {mostDeclaredShared, maxBlockThreads, maxBlockSize, maxGridSize};
  }

  /// The number of PTX statements for which the assembler takes about ten seconds.
  uint64_t smallCode() const override { return 25000; }

  Expected<std::vector<CodeInput>> inputs(const CodegenOptions &options) const override;

  Expected<std::string> codeOf(ArrayRef<char> code, StringRef symbol) const override;

  Expected<CompiledModule> compileBase(std::unique_ptr<Module> module,
                                       ArrayRef<std::string> kernels,
                                       const CodegenOptions &options) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/true, {}, {});
  }
  /// Text is assembled by the driver, which may be older than the vendor's compiler.
  bool takesCompanions() const override { return isCubin; }
  Expected<CompiledModule> compileBaseWith(const CompanionCode &companion,
                                           std::unique_ptr<Module> module,
                                           ArrayRef<std::string> kernels,
                                           const CodegenOptions &options) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/true, {}, companion);
  }
  Expected<CompiledModule> compileAlternative(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &options,
                                              const AlternativeLimits &limits) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/false, limits, {});
  }

private:
  Expected<CompiledModule> compile(std::unique_ptr<Module> module, ArrayRef<std::string> kernels,
                                   const CodegenOptions &options, bool isBase,
                                   const AlternativeLimits &limits,
                                   const CompanionCode &companion) const;
  Expected<Generated> generate(Module &module, ArrayRef<std::string> kernels,
                               const CodegenOptions &options, bool isBase,
                               RefusedKernels &refused) const;
  Expected<std::vector<char>> writePtx(Module &module, MachineSettings settings,
                                       LoopAddresses addresses, const CacheHints &hints) const;
  Error assembleInto(CompiledModule &compiled, ArrayRef<unsigned> threads,
                     const CodegenOptions &options, unsigned seconds) const;
  void assembleWith(const CompanionCode &companion, const CompiledModule &text,
                    SmallVector<unsigned> threads, const CodegenOptions &options,
                    CompiledModule &compiled) const;
  Expected<CompiledModule> assembleBest(CompiledModule text, Generated generated,
                                        ArrayRef<unsigned> threads, const CodegenOptions &options,
                                        unsigned seconds, const CompanionCode &companion) const;
  MachineSettings settingsFor(const CodegenOptions &options, MathSource math, bool isFixed) const;

  std::string targetName;
  std::string arch; ///< "sm_90"
  bool isCubin;
  Toolkit toolkit;
  unsigned ptxasSeconds;
};
} // namespace

/// Returns whether the function may be left undefined: the driver provides it, or LLVM replaces it.
static bool needsNoDefinition(StringRef name) {
  return driverDefines(name) || name == "__nvvm_reflect";
}

static Error checkModule(const Module &module, ArrayRef<std::string> kernels) {
  for (const std::string &symbol : kernels)
    if (!isPtxName(symbol))
      return createStringError("the kernel's name '" + symbol +
                               "' is not allowed in PTX: it may have letters, digits, '_' and '$', "
                               "and must not begin with a digit");
  return checkDeviceModule(module, kernels);
}

/// PTX text is assembled by the driver, whose version the tuner records separately.
Expected<std::vector<CodeInput>> NVPTXTarget::inputs(const CodegenOptions &options) const {
  std::vector<CodeInput> inputs = {{"chip", arch},
                                   {"form", isCubin ? "cubin" : "ptx"},
                                   {"optimisation", std::to_string(options.optLevel)},
                                   {"fast math", std::to_string(options.fastMath)},
                                   {"multiply-add", std::to_string(options.fuseMultiplyAdd)},
                                   {"registers", std::to_string(options.maxRegisters)}};
  if (isCubin)
    inputs.push_back({"assembler's options", join(decidingArguments(options.ptxasArgs), " ")});
  const std::string &math = toolkit.libdevice.empty() ? toolkit.libclc : toolkit.libdevice;
  for (auto [name, path] : {std::pair("assembler", isCubin ? toolkit.ptxas : std::string()),
                            std::pair("mathematics", math)}) {
    if (path.empty())
      continue;
    Expected<std::string> digest = digestOfFile(path);
    if (!digest)
      return digest.takeError();
    inputs.push_back({name, *digest});
  }
  return inputs;
}

MachineSettings NVPTXTarget::settingsFor(const CodegenOptions &options, MathSource math,
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
Expected<std::vector<char>> NVPTXTarget::writePtx(Module &module, MachineSettings settings,
                                                  LoopAddresses addresses,
                                                  const CacheHints &hints) const {
  settings.ptxVersion = std::max(requiredPtxVersion(module), requiredPtxVersion(hints));
  Expected<std::vector<char>> ptx = emitPtx(module, *createMachine(settings), addresses, hints);
  if (!ptx || settings.chip == arch)
    return ptx;
  std::string own = retarget(ptx->data(), arch);
  return std::vector<char>(own.c_str(), own.c_str() + own.size() + 1);
}

Expected<Generated> NVPTXTarget::generate(Module &module, ArrayRef<std::string> kernels,
                                          const CodegenOptions &options, bool isBase,
                                          RefusedKernels &refused) const {
  mlir::TimingScope timing = options.time(optimisePhase);
  CacheHints hints = cacheHintsOf(module, kernels);
  CodeChoices choices = choicesOf(module, kernels);
  bool isApart = wordFor(module, kernels, "regrain-shared") == "apart";
  if (options.debugInfo != DebugInfo::Full)
    reduceDebugInfo(module, /*keepLines=*/options.debugInfo == DebugInfo::Lines);
  if (options.fastMath)
    flushToZero(module);
  if (options.optLevel > 0)
    inlineCalls(module);
  bool isFixed = !isBase || areProductsFixed(module);
  Expected<MathSource> math = linkMath(module, toolkit, isFixed, options.fuseMultiplyAdd);
  if (!math)
    return math.takeError();
  if (!isBase)
    reachVariablesThroughSlots(module, kernels, refused);
  MachineSettings settings = settingsFor(options, *math, isFixed);
  findUnresolved(module, kernels, needsNoDefinition, refused);
  findNewerInstructions(module, kernels, arch, refused);
  refuseAll(kernels, refuseHints(hints, arch), refused);
  removeKernels(module, refused, needsNoDefinition);
  makeNamesLegal(module);

  std::unique_ptr<TargetMachine> machine = createMachine(settings);
  if (!machine)
    return createStringError("LLVM was built without its NVPTX target");
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  if (options.optLevel > 0)
    alignCastShared(module, functionsOf(module, kernels), mostDeclaredShared);
  optimize(module, *machine, options.optLevel, choices);
  if (options.fastMath)
    approximateDivisions(module);
  if (!isBase) {
    findFunctionPointers(module, kernels, refused);
    showCachedLoads(module);
    alignShared(module, kernels, mostDeclaredShared);
  }
  findTooMuchShared(module, kernels, mostDeclaredShared, refused);
  removeKernels(module, refused, needsNoDefinition);
  if (!isBase && !isApart)
    uniteShared(module, kernels);
  if (!isBase || (options.optLevel > 0 && hasAlignedShared(module)))
    inferSharedAlignment(module, *machine);
  timing = options.time(generatePhase);
  bool mayWriteAgain = isCubin && options.optLevel > 0;
  std::unique_ptr<Module> again = mayWriteAgain ? CloneModule(module) : nullptr;
  Expected<std::vector<char>> ptx = writePtx(module, settings, choices.addresses, hints);
  if (!ptx)
    return ptx.takeError();
  if (!hasHints(ptx->data(), hints))
    refuseAll(kernels,
              Refusal{RefusalKind::NothingHinted,
                      "no load from global memory is left that could have the hint"},
              refused);
  return Generated{std::move(*ptx), std::move(again), settings, choices.addresses, hints};
}

/// Counts the statements of each kernel; those outside of kernels count for all of them. Returns
/// the number of statements in the module.
static uint64_t countInstructions(StringRef ptx, MutableArrayRef<KernelCode> kernels) {
  uint64_t all = ptx.count(";\n"), common = all;
  for (KernelCode &kernel : kernels) {
    StringRef body = ptx.substr(ptx.find(".entry " + kernel.symbol + "("));
    kernel.instructions = body.take_front(body.find("\n}")).count(";\n");
    common -= kernel.instructions;
  }
  for (KernelCode &kernel : kernels)
    kernel.instructions += common;
  return all;
}

/// The driver assembles PTX text, at its own level.
static void refuseAssembler(ArrayRef<std::string> kernels, RefusedKernels &refused) {
  for (const std::string &symbol : kernels)
    refused.insert({symbol, Refusal{RefusalKind::NotOnTarget,
                                    "assembler= needs ptxas: PTX text is assembled by the driver, "
                                    "which chooses the level"}});
}

Error NVPTXTarget::assembleInto(CompiledModule &compiled, ArrayRef<unsigned> threads,
                                const CodegenOptions &options, unsigned seconds) const {
  mlir::TimingScope timing = options.time(assemblePhase);
  Expected<Assembled> assembled =
      assemble(toolkit.ptxas, arch, ArrayRef(compiled.code).drop_back(), options, seconds);
  if (!assembled)
    return assembled.takeError();
  unsigned capability = capabilityOf(arch);
  for (auto [kernel, blockThreads] : zip_equal(compiled.kernels, threads)) {
    auto figures = assembled->kernels.find(kernel.symbol);
    if (kernel.refusal || figures == assembled->kernels.end())
      continue;
    kernel.resources = figures->second;
    kernel.resources.occupancyThreads = static_cast<int32_t>(blockThreads);
    kernel.resources.occupancyPercent =
        occupancyPercent(capability, kernel.resources, blockThreads);
  }
  compiled.code = std::move(assembled->cubin);
  compiled.warnings.insert(compiled.warnings.end(), assembled->warnings.begin(),
                           assembled->warnings.end());
  return Error::success();
}

/// Assembles the base module, whose PTX is `text`, again with the companion's kernels. If that
/// fails, the assembled module stays as it is, and those kernels are refused.
void NVPTXTarget::assembleWith(const CompanionCode &companion, const CompiledModule &text,
                               SmallVector<unsigned> threads, const CodegenOptions &options,
                               CompiledModule &compiled) const {
  CompiledModule both = text;
  for (const CompanionKernel &kernel : companion.kernels) {
    auto original = find_if(compiled.kernels,
                            [&](const KernelCode &code) { return code.symbol == kernel.original; });
    threads.push_back(threads[original - compiled.kernels.begin()]);
    both.kernels.emplace_back().symbol = kernel.symbol;
  }
  both.code = joinWith(both.code, companion);
  Error error = assembleInto(both, threads, options, ptxasSeconds);
  if (!error) {
    compiled = std::move(both);
    return;
  }
  std::string why = "ptxas does not take nvcc's code with Regrain's: " + toString(std::move(error));
  for (const CompanionKernel &kernel : companion.kernels) {
    KernelCode &code = compiled.kernels.emplace_back();
    code.symbol = kernel.symbol;
    code.refusal = Refusal{RefusalKind::VendorCode, why};
  }
}

/// Assembles the PTX that `text` holds. If registers matter, also assembles it with its
/// instructions in the other order, and takes what needs fewer. The result has the companion.
Expected<CompiledModule> NVPTXTarget::assembleBest(CompiledModule text, Generated generated,
                                                   ArrayRef<unsigned> threads,
                                                   const CodegenOptions &options, unsigned seconds,
                                                   const CompanionCode &companion) const {
  auto withCompanion = [&](const CompiledModule &ptx, CompiledModule made) {
    if (!companion.kernels.empty())
      assembleWith(companion, ptx, to_vector(threads), options, made);
    return made;
  };
  CompiledModule first = text;
  if (Error error = assembleInto(first, threads, options, seconds))
    return std::move(error);
  if (!generated.again || !takesManyRegisters(first.kernels))
    return withCompanion(text, std::move(first));
  generated.settings.sparesRegisters = true;
  mlir::TimingScope timing = options.time(generatePhase);
  Expected<std::vector<char>> ptx =
      writePtx(*generated.again, generated.settings, generated.addresses, generated.hints);
  if (!ptx)
    return ptx.takeError();
  timing.stop();
  CompiledModule second = text;
  second.code = std::move(*ptx);
  CompiledModule made = second;
  if (Error error = assembleInto(made, threads, options, seconds)) {
    consumeError(std::move(error)); // it took too long
    return withCompanion(text, std::move(first));
  }
  return takesFewer(made.kernels, first.kernels) ? withCompanion(second, std::move(made))
                                                 : withCompanion(text, std::move(first));
}

Expected<CompiledModule> NVPTXTarget::compile(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &options, bool isBase,
                                              const AlternativeLimits &limits,
                                              const CompanionCode &companion) const {
  DiagnosticScope diagnostics(module->getContext());
  if (Error error = checkModule(*module, kernels))
    return std::move(error);
  SmallVector<unsigned> threads;
  for (const std::string &symbol : kernels)
    threads.push_back(blockThreads(*module->getFunction(symbol)));
  RefusedKernels refused;
  boundRegisters(*module, kernels, isCubin ? 0 : options.maxRegisters, isCubin ? arch : "",
                 refused);
  std::string level = wordFor(*module, kernels, "regrain-assembler");
  if (!level.empty() && !isCubin)
    refuseAssembler(kernels, refused);
  Expected<Generated> generated = generate(*module, kernels, options, isBase, refused);
  if (!generated)
    return generated.takeError();
  if (Error error = diagnostics.takeError())
    return std::move(error);

  CompiledModule compiled;
  for (const std::string &symbol : kernels) {
    KernelCode &kernel = compiled.kernels.emplace_back();
    kernel.symbol = symbol;
    if (auto found = refused.find(symbol); found != refused.end()) {
      kernel.refusal = found->second;
      continue;
    }
    kernel.resources.staticSharedBytes =
        static_cast<int32_t>(staticSharedBytes(*module->getFunction(symbol)));
  }
  if (isBase)
    compiled.warnings = std::move(diagnostics.warnings);
  if (!kernels.empty() && refused.size() == kernels.size())
    return compiled;
  compiled.code = std::move(generated->ptx);
  uint64_t instructions =
      countInstructions({compiled.code.data(), compiled.code.size()}, compiled.kernels);
  if (isCubin && limits.admits && !limits.admits(instructions))
    return createStringError("not assembled: " + Twine(instructions) + " instructions");
  if (!isCubin)
    return compiled;
  unsigned seconds = limits.assemblerSeconds ? limits.assemblerSeconds : ptxasSeconds;
  return assembleBest(std::move(compiled), std::move(*generated), threads, atLevel(options, level),
                      seconds, companion);
}

/// Returns a kernel's section of a cubin, or the PTX from its name to the brace that closes its
/// body.
Expected<std::string> NVPTXTarget::codeOf(ArrayRef<char> code, StringRef symbol) const {
  if (isCubin)
    return sectionsOf(code, symbol, [&](StringRef section) {
      return section.consume_front(".text.") && section == symbol;
    });
  StringRef text(code.data(), code.size());
  size_t begin = text.find((".entry " + symbol + "(").str());
  size_t end = text.find("\n}", begin);
  if (begin == StringRef::npos || end == StringRef::npos)
    return createStringError("the PTX has no kernel " + symbol);
  return withoutName(text.slice(begin, end), symbol);
}

Expected<std::unique_ptr<Target>> createNVPTXTarget(StringRef name, const NVPTXOptions &options) {
  Toolkit toolkit = findToolkit(options);
  StringRef number = name;
  bool isPtx = name == "ptx" || number.consume_front("compute_");
  std::string arch = name == "ptx" ? "sm_70" : isPtx ? ("sm_" + number).str() : name.str();
  if (chipFor(arch).empty())
    return createStringError("unknown NVIDIA target " + name);
  if (!isPtx && toolkit.ptxas.empty())
    return createStringError("no ptxas was found, which target " + name +
                             " needs; set CUDA_PATH to a CUDA toolkit");
  // Toolkit 13 has dropped those before this one.
  constexpr StringLiteral firstKept = "sm_75";
  if (!isPtx && arch < firstKept && !mayAssembleFor(toolkit.ptxas, arch))
    return createStringError(toolkit.ptxas + " does not know " + arch);
  return std::make_unique<NVPTXTarget>(name, arch, !isPtx, std::move(toolkit),
                                       options.ptxasSeconds);
}

} // namespace regrain
