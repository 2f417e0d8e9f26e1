//===- AMDGPU.cpp - The back end for AMD GPUs -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/AMDGPU.h"

#include "compiler/DeviceIR/Annotations.h"
#include "compiler/Target/AMDGPU/Builtins.h"
#include "compiler/Target/AMDGPU/CodeGenerator.h"
#include "compiler/Target/AMDGPU/Coordinates.h"
#include "compiler/Target/AMDGPU/DeviceLibrary.h"
#include "compiler/Target/AMDGPU/GridWorkspace.h"
#include "compiler/Target/AMDGPU/KernelDescriptor.h"
#include "compiler/Target/AMDGPU/LockRounds.h"
#include "compiler/Target/AMDGPU/LockstepWaits.h"
#include "compiler/Target/AMDGPU/Occupancy.h"
#include "compiler/Target/AMDGPU/Print.h"
#include "compiler/Target/AMDGPU/Retarget.h"
#include "compiler/Target/AMDGPU/SplitBarriers.h"
#include "compiler/Target/AMDGPU/StackSizes.h"
#include "compiler/Target/AMDGPU/Unavailable.h"
#include "compiler/Target/AMDGPU/WaveMeetings.h"
#include "compiler/Target/AddressSlots.h"
#include "compiler/Target/Diagnostics.h"
#include "compiler/Target/FileDigest.h"
#include "compiler/Target/Linker.h"
#include "compiler/Target/ObjectCode.h"
#include "compiler/Target/Pipeline.h"
#include "compiler/Target/SumOrder.h"
#include "runtime/image/launch_limits.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;
using namespace regrain::amdgpu;

namespace regrain {

namespace {

/// The highest level at which alternatives are generated. At level 3 LLVM numbers values once more,
/// which takes long for unrolled code and makes it longer more often than shorter
/// (docs/decisions/0030).
constexpr unsigned mostForAlternatives = 2;

/// Returns whether a symbol is supplied after linking: none is, because a code object must be
/// complete.
bool definedLater(StringRef) { return false; }

class AMDGPUTarget final : public Target {
public:
  AMDGPUTarget(const Chip &chip, AMDGPUOptions options) : chip(chip), options(std::move(options)) {}

  std::string name() const override { return chip.name.str(); }
  bool takesFixedProducts() const override { return false; }

  /// The limits of HIP's "hipDeviceProp_t"; a dimension of the grid has fewer than 2^32 threads.
  TargetLimits limits() const override {
    return {mostLocal, maxBlockThreads, maxLaunchedBlock, maxGridSize};
  }

  /// The number of LLVM instructions, after its passes, for which the code generator takes about
  /// ten seconds.
  uint64_t smallCode() const override { return 25000; }

  Expected<std::vector<CodeInput>> inputs(const CodegenOptions &codegen) const override;

  /// Other sections than the code depend on names.
  Expected<std::string> codeOf(ArrayRef<char> code, StringRef symbol) const override {
    Expected<std::string> text =
        sectionsOf(code, symbol, [](StringRef section) { return section == ".text"; });
    if (!text)
      return text;
    Expected<std::string> descriptor = kernelDescriptor(code, symbol);
    if (!descriptor)
      return descriptor;
    return *text + *descriptor;
  }

  Expected<CompiledModule> compileBase(std::unique_ptr<Module> module,
                                       ArrayRef<std::string> kernels,
                                       const CodegenOptions &codegen) const override {
    return compile(*module, kernels, codegen, /*isBase=*/true, {});
  }
  Expected<CompiledModule> compileAlternative(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &codegen,
                                              const AlternativeLimits &limits) const override {
    return compile(*module, kernels, codegen, /*isBase=*/false, limits);
  }

private:
  Expected<CompiledModule> compile(Module &module, ArrayRef<std::string> kernels,
                                   const CodegenOptions &codegen, bool isBase,
                                   const AlternativeLimits &limits) const;
  Error lower(Module &module, ArrayRef<std::string> kernels, TargetMachine &machine,
              const CodegenOptions &codegen, bool isBase, std::vector<std::string> &managed,
              SingleDimensions &single, RefusedKernels &refused) const;
  Expected<std::vector<char>> emit(Module &module, TargetMachine &machine,
                                   StringMap<Resources> &figures) const;
  Error generate(Module &module, TargetMachine &machine, ArrayRef<unsigned> threads,
                 const CodegenOptions &codegen, CompiledModule &compiled) const;

  const Chip &chip;
  AMDGPUOptions options;
};

/// Counts the instructions of each kernel; those outside of kernels count for all of them.
void countInstructions(const Module &module, MutableArrayRef<KernelCode> kernels) {
  uint64_t all = module.getInstructionCount(), common = all;
  for (KernelCode &kernel : kernels)
    if (const Function *function = module.getFunction(kernel.symbol)) {
      kernel.instructions = function->getInstructionCount();
      common -= kernel.instructions;
    }
  for (KernelCode &kernel : kernels)
    kernel.instructions += common;
}

/// Adds accumulation registers, which follow the others in one register file, starting at a
/// multiple of four (LLVM, "User Guide for AMDGPU Backend", compute_pgm_rsrc3 of GFX90A).
void countAccumulation(Resources &resources) {
  if (resources.accumulationRegisters > 0)
    resources.registers =
        int32_t(alignTo(resources.registers, 4)) + resources.accumulationRegisters;
}

std::vector<KernelCode> makeKernels(ArrayRef<std::string> symbols, const SingleDimensions &single,
                                    const RefusedKernels &refused) {
  std::vector<KernelCode> kernels;
  for (const std::string &symbol : symbols) {
    KernelCode &kernel = kernels.emplace_back();
    kernel.symbol = symbol;
    kernel.singleDimensions = single.lookup(symbol);
    if (auto found = refused.find(symbol); found != refused.end())
      kernel.refusal = found->second;
  }
  return kernels;
}

/// Implements -use_fast_math: single-precision divisions and square roots may be the hardware's
/// approximations, for which LLVM requires an accuracy of 2.5 ulp ("User Guide for AMDGPU
/// Backend").
void approximateDivisions(Module &module) {
  constexpr float ulps = 2.5;
  MDNode *accuracy = MDBuilder(module.getContext()).createFPMath(ulps);
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<IntrinsicInst>(&inst);
      bool isRoot = call && call->getIntrinsicID() == Intrinsic::sqrt;
      if (inst.getType()->isFloatTy() && (isRoot || inst.getOpcode() == Instruction::FDiv))
        inst.setMetadata(LLVMContext::MD_fpmath, accuracy);
    }
}

/// Returns the kernels that -maxrregcount bounds: launch bounds take precedence, as with nvcc.
SmallVector<std::string> withoutBounds(const Module &module, ArrayRef<std::string> kernels) {
  SmallVector<std::string> result;
  copy_if(kernels, std::back_inserter(result), [&](const std::string &symbol) {
    const Function &kernel = *module.getFunction(symbol);
    return !boundThreads(kernel) && !annotation(kernel, "minctasm");
  });
  return result;
}

/// Returns the registers that the kernels' grain sets, alike for all of them; these take precedence
/// over -maxrregcount. 0: none are set.
unsigned registersTold(const Module &module, ArrayRef<std::string> kernels) {
  for (const std::string &symbol : kernels)
    if (const Function *kernel = module.getFunction(symbol))
      return kernel->getFnAttributeAsParsedInteger("regrain-registers");
  return 0;
}

/// Bounds the vector registers of `kernels` and of everything that a kernel can call. The bound is
/// at least the number with which all waves can be resident: fewer would only spill, and calls need
/// room for their arguments. If accumulation registers share the register file, LLVM doubles the
/// number that it is given (GCNSubtarget::getBaseMaxNumVGPRs).
void boundRegisters(Module &module, ArrayRef<std::string> kernels, unsigned registers,
                    const Chip &chip) {
  registers = std::max(registers, chip.vectorRegisters / chip.mostWaves);
  unsigned told = chip.hasAccumulation() ? registers / 2 : registers;
  for (Function &function : module) {
    bool isKernel = function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
    if (!function.isDeclaration() && (!isKernel || is_contained(kernels, function.getName())))
      function.addFnAttr("amdgpu-num-vgpr", std::to_string(told));
  }
}

/// Removes what only removed kernels called. LLVM crashes when it generates code for a function of
/// ROCm's library that no kernel reaches.
void removeUnused(Module &module, TargetMachine &machine) {
  runPasses(module, machine, {}, [](PassBuilder &) {
    ModulePassManager passes;
    passes.addPass(GlobalDCEPass());
    return passes;
  });
}

} // namespace

/// If a folder has no ockl.bc, code that needs it is refused.
Expected<std::vector<CodeInput>> AMDGPUTarget::inputs(const CodegenOptions &codegen) const {
  std::vector<CodeInput> inputs = {{"chip", chip.name.str()},
                                   {"code object", std::to_string(codegen.codeObjectVersion)},
                                   {"optimisation", std::to_string(codegen.optLevel)},
                                   {"fast math", std::to_string(codegen.fastMath)},
                                   {"registers", std::to_string(codegen.maxRegisters)}};
  for (StringRef library : {"ocml.bc", "ockl.bc"}) {
    std::string path = (options.deviceLibraries + "/" + library).str();
    if (!sys::fs::exists(path))
      continue;
    Expected<std::string> digest = digestOfFile(path);
    if (!digest)
      return digest.takeError();
    inputs.push_back({library.str(), *digest});
  }
  return inputs;
}

Error AMDGPUTarget::lower(Module &module, ArrayRef<std::string> kernels, TargetMachine &machine,
                          const CodegenOptions &codegen, bool isBase,
                          std::vector<std::string> &managed, SingleDimensions &single,
                          RefusedKernels &refused) const {
  mlir::TimingScope timing = codegen.time(optimisePhase);
  stripNonLineTableDebugInfo(module);
  if (isBase) {
    managed = reachManagedThroughSlots(module, kernels, refused);
  } else {
    reachVariablesThroughSlots(module, kernels, refused);
    findFunctionPointers(module, kernels, refused);
  }
  findTooMuchShared(module, kernels, mostLocal, refused);
  if (codegen.fastMath)
    approximateDivisions(module);
  SmallVector<std::string> unbounded = withoutBounds(module, kernels);
  retarget(module, kernels, machine, {codegen.codeObjectVersion, isBase, codegen.fastMath});
  lowerPrinting(module);
  lowerBuiltins(module, chip, codegen.codeObjectVersion);
  if (Error error = linkDeviceLibrary(
          module, chip, {options.deviceLibraries, codegen.codeObjectVersion, codegen.fastMath}))
    return error;
  defineCoordinates(module, codegen.codeObjectVersion);
  defineGridWorkspace(module, kernels);
  findUnavailable(module, kernels, refused);
  findUnresolved(module, kernels, definedLater, refused);
  // This is only needed for originals: a grain keeps the lanes of a warp together, because its
  // copies of one place are one place.
  if (isBase)
    findWaveMeetings(module, kernels, machine, single, refused);
  removeKernels(module, refused, definedLater);
  if (unsigned told = registersTold(module, kernels))
    boundRegisters(module, kernels, told, chip);
  else if (codegen.maxRegisters)
    boundRegisters(module, unbounded, codegen.maxRegisters, chip);
  keepLockRounds(module);
  optimize(module, machine, codegen.optLevel, mayReorderSums(module, kernels));
  size_t refusedEarlier = refused.size();
  findLockstepWaits(module, kernels, chip, single, refused);
  findSplitBarriers(module, kernels, chip, refused);
  fixStackSizes(module, kernels, refused);
  removeKernels(module, refused, definedLater);
  if (refused.size() > refusedEarlier)
    removeUnused(module, machine);
  if (codegen.debugInfo == DebugInfo::None)
    StripDebugInfo(module);
  return Error::success();
}

/// Returns the code generator's file, and its figures for each kernel.
Expected<std::vector<char>> AMDGPUTarget::emit(Module &module, TargetMachine &machine,
                                               StringMap<Resources> &figures) const {
  bool isText = options.form == CodeForm::Assembly;
  DiagnosticScope usage(module.getContext(), usagePass.str(),
                        [&](const auto &remark) { addUsage(remark, figures); });
  Expected<std::vector<char>> emitted = emitFile(
      module, machine, isText ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile);
  if (Error error = usage.takeError()) {
    consumeError(emitted.takeError());
    return std::move(error);
  }
  return emitted;
}

/// Generates code; `threads` are those of a block of each kernel, for the occupancy.
Error AMDGPUTarget::generate(Module &module, TargetMachine &machine, ArrayRef<unsigned> threads,
                             const CodegenOptions &codegen, CompiledModule &compiled) const {
  mlir::TimingScope timing = codegen.time(generatePhase);
  StringMap<Resources> figures;
  Expected<std::vector<char>> file = emit(module, machine, figures);
  if (!file)
    return file.takeError();
  if (options.form == CodeForm::Assembly) {
    compiled.code = std::move(*file);
    return Error::success();
  }
  Expected<std::vector<char>> linked =
      linkObjects({std::move(*file)}, {"--no-undefined"}, "code for " + chip.name.str());
  if (!linked)
    return linked.takeError();
  if (Error error = readCodeSizes(*linked, figures))
    return error;
  for (auto [kernel, blockThreads] : zip_equal(compiled.kernels, threads)) {
    if (kernel.refusal)
      continue;
    kernel.resources = figures.lookup(kernel.symbol);
    countAccumulation(kernel.resources);
    setOccupancy(chip, blockThreads, kernel.resources);
  }
  compiled.code = std::move(*linked);
  return Error::success();
}

Expected<CompiledModule> AMDGPUTarget::compile(Module &module, ArrayRef<std::string> kernels,
                                               const CodegenOptions &codegen, bool isBase,
                                               const AlternativeLimits &limits) const {
  DiagnosticScope diagnostics(module.getContext());
  if (Error error = checkDeviceModule(module, kernels))
    return std::move(error);
  SmallVector<unsigned> threads;
  for (const std::string &symbol : kernels)
    threads.push_back(blockThreads(*module.getFunction(symbol)));
  std::unique_ptr<TargetMachine> machine = createMachine(
      chip, isBase ? codegen.optLevel : std::min(codegen.optLevel, mostForAlternatives));
  if (!machine)
    return createStringError("LLVM was built without its AMDGPU target");

  RefusedKernels refused;
  SingleDimensions single;
  std::vector<std::string> managed;
  if (Error error = lower(module, kernels, *machine, codegen, isBase, managed, single, refused))
    return std::move(error);
  if (Error error = diagnostics.takeError())
    return std::move(error);
  CompiledModule compiled;
  compiled.kernels = makeKernels(kernels, single, refused);
  compiled.managedSlots = std::move(managed);
  countInstructions(module, compiled.kernels);
  if (isBase)
    compiled.warnings = std::move(diagnostics.warnings);
  if (!kernels.empty() && refused.size() == kernels.size())
    return compiled;
  if (options.form == CodeForm::IR) {
    std::string text;
    raw_string_ostream stream(text);
    module.print(stream, nullptr);
    compiled.code.assign(text.begin(), text.end());
    return compiled;
  }
  uint64_t instructions = module.getInstructionCount();
  if (limits.admits && !limits.admits(instructions))
    return createStringError("not generated: " + Twine(instructions) + " instructions");
  if (Error error = generate(module, *machine, threads, codegen, compiled))
    return std::move(error);
  return compiled;
}

Expected<std::unique_ptr<Target>> createAMDGPUTarget(StringRef name, const AMDGPUOptions &options) {
  const Chip *chip = findChip(name);
  if (!chip)
    return checkChip(name);
  AMDGPUOptions found = options;
  Expected<std::string> libraries = findDeviceLibraries(options.deviceLibraries);
  if (!libraries)
    return libraries.takeError();
  found.deviceLibraries = *libraries;
  return std::make_unique<AMDGPUTarget>(*chip, std::move(found));
}

} // namespace regrain
