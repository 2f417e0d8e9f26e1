//===- NVPTX.cpp - The back end for NVIDIA GPUs ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/NVPTX.h"

#include "compiler/Target/NVPTX/AddressSlots.h"
#include "compiler/Target/NVPTX/Annotations.h"
#include "compiler/Target/NVPTX/CodeGenerator.h"
#include "compiler/Target/NVPTX/DeviceMath.h"
#include "compiler/Target/NVPTX/Occupancy.h"
#include "compiler/Target/NVPTX/PtxVersion.h"
#include "compiler/Target/NVPTX/Ptxas.h"
#include "compiler/Target/NVPTX/Reach.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regrain::nvptx;

namespace regrain {

namespace {
/// Collects what LLVM reports on a context while it lives.
class DiagnosticScope {
public:
  DiagnosticScope(LLVMContext &context)
      : context(context), previous(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<Collector>(*this));
  }
  ~DiagnosticScope() { context.setDiagnosticHandler(std::move(previous)); }

  /// The first error since construction.
  Error takeError() const {
    return error.empty() ? Error::success() : createStringError(error);
  }
  std::vector<std::string> warnings;

private:
  struct Collector : DiagnosticHandler {
    DiagnosticScope &scope;
    Collector(DiagnosticScope &scope) : scope(scope) {}
    bool handleDiagnostics(const DiagnosticInfo &info) override {
      scope.add(info);
      return true;
    }
  };

  void add(const DiagnosticInfo &info) {
    if (info.getSeverity() != DS_Error && info.getSeverity() != DS_Warning)
      return;
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    if (info.getSeverity() == DS_Warning)
      warnings.push_back(text);
    else if (error.empty())
      error = text;
  }

  LLVMContext &context;
  std::unique_ptr<DiagnosticHandler> previous;
  std::string error;
};

class NVPTXTarget final : public Target {
public:
  /// `arch` is empty for PTX of whatever chip the module was compiled for.
  NVPTXTarget(StringRef arch, Toolkit toolkit, unsigned ptxasSeconds)
      : arch(arch), toolkit(std::move(toolkit)), ptxasSeconds(ptxasSeconds) {}

  std::string name() const override { return arch.empty() ? "ptx" : arch; }

  Expected<CompiledModule> compileBase(std::unique_ptr<Module> module,
                                       ArrayRef<std::string> kernels,
                                       const CodegenOptions &options) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/true);
  }
  Expected<CompiledModule> compileAlternative(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &options) const override {
    return compile(std::move(module), kernels, options, /*isBase=*/false);
  }

private:
  Expected<CompiledModule> compile(std::unique_ptr<Module> module,
                                   ArrayRef<std::string> kernels,
                                   const CodegenOptions &options, bool isBase) const;
  Expected<std::vector<char>> generate(Module &module, ArrayRef<std::string> kernels,
                                       const CodegenOptions &options, bool isBase,
                                       MissingReasons &missing) const;
  Error assembleInto(CompiledModule &compiled, ArrayRef<unsigned> threads,
                     const CodegenOptions &options) const;
  MachineSettings settingsFor(const Module &module, ArrayRef<std::string> kernels,
                              const CodegenOptions &options, MathSource math) const;

  std::string arch;
  Toolkit toolkit;
  unsigned ptxasSeconds;
};
} // namespace

/// Names that PTX accepts: [a-zA-Z][a-zA-Z0-9_$]* or [_$%][a-zA-Z0-9_$]+.
static bool isPtxName(StringRef name) {
  return !name.empty() && !isDigit(name.front()) && all_of(name, [](char letter) {
    return isAlnum(letter) || letter == '_' || letter == '$';
  });
}

/// What the code generator would stop the process for, or get wrong.
static Error checkModule(const Module &module, ArrayRef<std::string> kernels) {
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (!kernel || kernel->isDeclaration())
      return createStringError("the module has no kernel " + symbol);
    if (!isPtxName(symbol))
      return createStringError("the name " + symbol + " is not legal in PTX");
  }
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors"})
    if (module.getNamedGlobal(list))
      return createStringError("a device variable needs code to run before main, "
                               "which CUDA does not allow");
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError("the device module is not valid: " + broken);
  return Error::success();
}

/// Local names are made legal by the code generator; the others here. Kernels
/// keep theirs, which checkModule has seen.
static void makeNamesLegal(Module &module) {
  for (GlobalValue &value : module.global_values()) {
    if (value.hasLocalLinkage() || value.getName().starts_with("llvm.") ||
        isPtxName(value.getName()))
      continue;
    std::string name = value.getName().str();
    for (char &letter : name)
      if (!isAlnum(letter) && letter != '_' && letter != '$')
        letter = '_';
    value.setName("_" + name);
  }
}

/// -use_fast_math: results below the normal range become zero.
static void flushToZero(Module &module) {
  module.setModuleFlag(Module::Override, "nvvm-reflect-ftz", 1);
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

/// The driver finds a variable by name only where it is visible, and modules of
/// alternatives share the variables of the base module.
static void exposeVariables(Module &module, ArrayRef<std::string> names) {
  for (const std::string &name : names)
    if (GlobalVariable *variable = module.getNamedGlobal(name))
      variable->setLinkage(GlobalValue::ExternalLinkage);
}

/// Variables of device and constant memory that only this module can name.
static std::vector<std::string> hiddenVariables(const Module &module) {
  std::vector<std::string> names;
  for (const GlobalVariable &variable : module.globals())
    if (variable.hasInternalLinkage() &&
        (variable.getAddressSpace() == 1 || variable.getAddressSpace() == 4))
      names.push_back(variable.getName().str());
  return names;
}

MachineSettings NVPTXTarget::settingsFor(const Module &module, ArrayRef<std::string> kernels,
                                         const CodegenOptions &options,
                                         MathSource math) const {
  MachineSettings settings;
  std::string wanted = arch;
  if (wanted.empty() && !kernels.empty())
    wanted = module.getFunction(kernels.front())->getFnAttribute("target-cpu").getValueAsString();
  if (std::string chip = chipFor(wanted); !chip.empty())
    settings.chip = chip;
  settings.optLevel = options.optLevel;
  settings.fastMath = options.fastMath;
  // libclc keeps the error of a product in a second operation, which fusing
  // the first would falsify.
  settings.fuseMultiplyAdd = math != MathSource::Libclc;
  return settings;
}

Expected<std::vector<char>>
NVPTXTarget::generate(Module &module, ArrayRef<std::string> kernels,
                      const CodegenOptions &options, bool isBase,
                      MissingReasons &missing) const {
  reduceDebugInfo(module, options.lineInfo);
  if (options.fastMath)
    flushToZero(module);
  std::vector<std::string> hidden = hiddenVariables(module);
  Expected<MathSource> math = linkDeviceMath(module, toolkit);
  if (!math)
    return math.takeError();
  if (!isBase)
    reachVariablesThroughSlots(module, kernels, missing);
  MachineSettings settings = settingsFor(module, kernels, options, *math);
  findUnresolved(module, kernels, missing);
  removeKernels(module, missing);
  makeNamesLegal(module);

  std::unique_ptr<TargetMachine> machine = createMachine(settings);
  if (!machine)
    return createStringError("LLVM was built without its NVPTX target");
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  optimize(module, *machine, options.optLevel);
  if (isBase) {
    exposeVariables(module, hidden);
  } else {
    MissingReasons late;
    findFunctionPointers(module, kernels, late);
    removeKernels(module, late);
    missing.merge(late);
  }
  settings.ptxVersion = requiredPtxVersion(module);
  if (settings.ptxVersion)
    machine = createMachine(settings);
  return emitPtx(module, *machine);
}

/// -maxrregcount yields to launch bounds, as with nvcc.
static void boundRegisters(Module &module, ArrayRef<std::string> kernels, unsigned registers) {
  for (const std::string &symbol : kernels) {
    Function &kernel = *module.getFunction(symbol);
    if (!annotation(kernel, "maxntidx") && !annotation(kernel, "minctasm"))
      annotate(kernel, "maxnreg", registers);
  }
}

Error NVPTXTarget::assembleInto(CompiledModule &compiled, ArrayRef<unsigned> threads,
                                const CodegenOptions &options) const {
  Expected<Assembled> assembled =
      assemble(toolkit.ptxas, arch, ArrayRef(compiled.code).drop_back(), options, ptxasSeconds);
  if (!assembled)
    return assembled.takeError();
  unsigned capability = 0;
  if (StringRef(arch).drop_front(3).rtrim("af").getAsInteger(10, capability))
    return createStringError(arch + " is no chip's name");
  for (auto [kernel, blockThreads] : zip_equal(compiled.kernels, threads)) {
    auto figures = assembled->kernels.find(kernel.symbol);
    if (!kernel.missingReason.empty() || figures == assembled->kernels.end())
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

Expected<CompiledModule> NVPTXTarget::compile(std::unique_ptr<Module> module,
                                              ArrayRef<std::string> kernels,
                                              const CodegenOptions &options,
                                              bool isBase) const {
  DiagnosticScope diagnostics(module->getContext());
  if (Error error = checkModule(*module, kernels))
    return std::move(error);
  SmallVector<unsigned> threads;
  for (const std::string &symbol : kernels)
    threads.push_back(blockThreads(*module->getFunction(symbol)));
  if (options.maxRegisters && arch.empty())
    boundRegisters(*module, kernels, options.maxRegisters);

  MissingReasons missing;
  Expected<std::vector<char>> ptx = generate(*module, kernels, options, isBase, missing);
  if (!ptx)
    return ptx.takeError();
  if (Error error = diagnostics.takeError())
    return std::move(error);

  CompiledModule compiled;
  for (const std::string &symbol : kernels) {
    KernelCode &kernel = compiled.kernels.emplace_back();
    kernel.symbol = symbol;
    if (auto reason = missing.find(symbol); reason != missing.end())
      kernel.missingReason = reason->second;
    else
      kernel.resources.staticSharedBytes =
          static_cast<int32_t>(staticSharedBytes(*module->getFunction(symbol)));
  }
  if (isBase)
    compiled.warnings = std::move(diagnostics.warnings);
  if (!kernels.empty() && missing.size() == kernels.size())
    return compiled;
  compiled.code = std::move(*ptx);
  if (!arch.empty())
    if (Error error = assembleInto(compiled, threads, options))
      return std::move(error);
  return compiled;
}

Expected<std::unique_ptr<Target>> createNVPTXTarget(StringRef name,
                                                    const NVPTXOptions &options) {
  Toolkit toolkit = findToolkit(options);
  if (name == "ptx")
    return std::make_unique<NVPTXTarget>("", std::move(toolkit), options.ptxasSeconds);
  if (chipFor(name).empty())
    return createStringError("unknown NVIDIA target " + name);
  if (toolkit.ptxas.empty())
    return createStringError("no ptxas was found, which target " + name +
                             " needs; set CUDA_PATH to a CUDA toolkit");
  return std::make_unique<NVPTXTarget>(name, std::move(toolkit), options.ptxasSeconds);
}

} // namespace regrain
