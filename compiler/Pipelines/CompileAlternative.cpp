//===- CompileAlternative.cpp - One kernel at one grain -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CompileAlternative.h"

#include "compiler/Alternatives/Limits.h"
#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Dialect/Grain/LentMemory.h"
#include "compiler/Export/Export.h"
#include "compiler/Pipelines/Contain.h"
#include "compiler/Target/Tool.h"
#include "compiler/Transforms/ApplyGrain.h"
#include "runtime/image/grain_keys.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <ctime>

using namespace regrain;

namespace {

/// Returns a module with one kernel of `module` and everything that is not a kernel.
mlir::OwningOpRef<mlir::ModuleOp> cloneWith(mlir::ModuleOp module, llvm::StringRef symbol) {
  mlir::OwningOpRef<mlir::ModuleOp> clone = mlir::ModuleOp::create(module.getLoc());
  (*clone)->setAttrs(module->getAttrDictionary());
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(clone->getBody());
  for (mlir::Operation &op : *module.getBody())
    if (auto kernel = llvm::dyn_cast<grain::KernelOp>(op); !kernel || kernel.getName() == symbol)
      builder.clone(op);
  return clone;
}

/// Returns the module variables to which a module refers without owning them.
std::vector<std::string> variablesReached(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.isDeclaration() && !global.use_empty() && global.getAddressSpace() != sharedSpace)
      names.push_back(global.getName().str());
  return names;
}

} // namespace

std::string regrain::symbolAt(const DeviceKernel &kernel, const Grain &grain) {
  return kernel.symbol + "__grain_" + toSymbolSuffix(grain);
}

void regrain::tellTargets(llvm::Module &module, llvm::ArrayRef<std::string> symbols,
                          const Grain &grain) {
  for (const GrainKey &key : grainKeys())
    if (key.reachesTargets())
      for (llvm::StringRef piece : piecesOf(grain, key))
        for (const std::string &symbol : symbols)
          module.getFunction(symbol)->addFnAttr(attributeOf(key), piece.split('=').second);
}

RegrainedModule regrain::regrainKernel(const ImportedModule &imported, const DeviceKernel &kernel,
                                       const Grain &grain, GrainPart part,
                                       mlir::TimingScope *timing) {
  mlir::OwningOpRef<mlir::ModuleOp> module = cloneWith(imported.module(), kernel.symbol);
  auto op = module->lookupSymbol<grain::KernelOp>(kernel.symbol);
  // The kernel may have been raised from the first device compile, where the plan was made, but not
  // from this one.
  if (!op)
    return refuseUnraised(kernel, imported, toString(grain));
  if (auto step = applyGrain(op, grain, part, timing))
    return refuseGrain(kernel, toString(grain), "transform", std::move(step->refusal));
  return module;
}

namespace {

/// Measures the processor time of the calling thread since its construction, and of the tools that
/// it runs, against a limit: what else runs on the machine does not matter.
class Clock {
public:
  explicit Clock(unsigned limit) : limit(limit) {}
  double seconds() const { return taken() - before; }
  bool isPast() const { return limit && seconds() > limit; }
  /// Returns the seconds that are left for a process, at least one; 0 if there is no limit.
  unsigned secondsLeft() const { return limit ? std::max(1, int(limit) - int(seconds())) : 0; }

private:
  static double taken() {
    timespec own = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    return double(own.tv_sec) + double(own.tv_nsec) * 1e-9 + toolSeconds();
  }

  unsigned limit;
  double before = taken();
};

/// A kernel's modules at a grain.
struct Regrained {
  mlir::OwningOpRef<mlir::ModuleOp> whole;
  mlir::OwningOpRef<mlir::ModuleOp> remainder; ///< null if the grain leaves no remainder
};

/// Takes one grain of one kernel through the transforms, export and the back ends.
struct AlternativeCompile {
  const DeviceKernel &kernel;
  const Grain &grain;
  Clock clock;
  unsigned limit;
  const Admission &admission;
  AlternativeOutcome outcome;

  /// Records that the grain is dropped, for one target if `code` is given.
  void drop(CandidateCode *code, CandidateOutcome how, const std::string &stage, Refusal refusal) {
    outcome.refused.push_back(refuseGrain(kernel, toString(grain), stage, std::move(refusal)));
    outcome.timedOut |= how == CandidateOutcome::TimedOut;
    if (code)
      code->verdict = {how, objectionOf(outcome.refused.back())};
  }

  void dropForTime(CandidateCode *code, const std::string &stage) {
    drop(code, CandidateOutcome::TimedOut, stage,
         {RefusalKind::CompileTime, "compiling it took more processor time than the limit of " +
                                        std::to_string(limit) + " s"});
  }

  /// Records code that is not worth its compile time.
  void dropForSize(CandidateCode &code, std::string excess) {
    outcome.tooLarge = true;
    code.verdict = {CandidateOutcome::Pruned, Objection{"size", std::move(excess)}};
  }

  /// Returns the module of a part; null if it is refused, and the outcome says so.
  mlir::OwningOpRef<mlir::ModuleOp> transformPart(const ImportedModule &imported, GrainPart part,
                                                  mlir::TimingScope &timing);
  /// Returns nothing if the transform is refused or takes too long; the outcome says so.
  std::optional<Regrained> transform(const ImportedModule &imported, const CodegenOptions &options);
  /// Returns bitcode with the kernels under `symbols`; nothing if that fails, and the outcome says
  /// so.
  std::optional<llvm::SmallString<0>> exportBitcode(const ImportedModule &imported,
                                                    const Regrained &regrained,
                                                    llvm::ArrayRef<std::string> symbols,
                                                    const CodegenOptions &options);
  /// Returns bitcode with the kernel as the source has it, under `symbol`; nothing if that fails,
  /// and the outcome says so.
  std::optional<llvm::SmallString<0>> extractBitcode(const ImportedModule &imported,
                                                     llvm::StringRef symbol);
  void compileFor(const SelectedTarget &target, CandidateCode &code, llvm::StringRef bitcode,
                  llvm::ArrayRef<std::string> symbols, const CodegenOptions &options);
  /// Compiles for the targets of a device compile whose limits the nest, if it is known, keeps.
  void compileForAll(llvm::ArrayRef<SelectedTarget> targets, const Architecture &arch,
                     llvm::StringRef bitcode, llvm::ArrayRef<std::string> symbols,
                     const std::optional<NestSize> &size, const CodegenOptions &options);
};

/// Exports the kernels of `regrained` into one module, under `symbols`.
llvm::Expected<std::unique_ptr<llvm::Module>>
exportModule(const ImportedModule &imported, const DeviceKernel &kernel, const Regrained &regrained,
             llvm::ArrayRef<std::string> symbols, llvm::LLVMContext &context) {
  auto kernelOf = [&](mlir::ModuleOp module) {
    return module.lookupSymbol<grain::KernelOp>(kernel.symbol);
  };
  auto exported = exportKernel(kernelOf(*regrained.whole), imported, symbols[0], context);
  if (!exported || !regrained.remainder)
    return exported;
  auto rest = exportKernel(kernelOf(*regrained.remainder), imported, symbols[1], context);
  if (!rest)
    return rest;
  if (llvm::Linker::linkModules(**exported, std::move(*rest)))
    return llvm::createStringError("'" + symbols[1] + "' could not be linked");
  return exported;
}

/// Refuses a grain at which `target` has no code for any kernel of this size.
std::optional<Refusal> checkTarget(const SelectedTarget &target,
                                   const std::optional<NestSize> &size, const Grain &grain) {
  if (std::string refused = whyRefusedBy(target.keyTargets, grain); !refused.empty())
    return Refusal{RefusalKind::NotOnTarget, refused};
  return size ? checkLimits(*size, target.target->limits()) : std::nullopt;
}

/// Compiles a separate module, so that a back end that fails affects no other.
llvm::Error runBackEnd(const SelectedTarget &target, llvm::StringRef bitcode,
                       llvm::ArrayRef<std::string> symbols, const CodegenOptions &options,
                       const AlternativeLimits &limits, TargetOutput &output) {
  return runContained([&]() -> llvm::Error {
    llvm::LLVMContext context;
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, symbols[0]), context);
    if (!module)
      return module.takeError();
    if (target.reachesBySlots)
      output.slots = variablesReached(**module);
    // Grain IR keeps lines, but not variables.
    CodegenOptions own = options;
    own.debugInfo = std::min(own.debugInfo, DebugInfo::Lines);
    auto compiled = target.target->compileAlternative(std::move(*module), symbols, own, limits);
    if (!compiled)
      return compiled.takeError();
    output.module = std::move(*compiled);
    return llvm::Error::success();
  });
}

llvm::SmallString<0> bitcodeOf(const llvm::Module &module) {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return bitcode;
}

} // namespace

void AlternativeCompile::compileFor(const SelectedTarget &target, CandidateCode &code,
                                    llvm::StringRef bitcode, llvm::ArrayRef<std::string> symbols,
                                    const CodegenOptions &options) {
  std::string name = target.target->name();
  if (clock.isPast())
    return dropForTime(&code, name);
  if (admission.findSpent)
    if (std::optional<std::string> spent = admission.findSpent(code.target))
      return dropForSize(code, std::move(*spent));
  AlternativeLimits limits = {clock.secondsLeft()};
  std::optional<std::string> excess;
  if (admission.findExcess)
    limits.admits = [&](uint64_t instructions) {
      excess = admission.findExcess(code.target, instructions);
      return !excess;
    };
  double begin = clock.seconds();
  TargetOutput output = {code.target, {}, {}};
  llvm::Error error = runBackEnd(target, bitcode, symbols, options, limits, output);
  code.seconds = clock.seconds() - begin;
  if (excess) {
    llvm::consumeError(std::move(error));
    return dropForSize(code, std::move(*excess));
  }
  if (clock.isPast()) {
    llvm::consumeError(std::move(error));
    return dropForTime(&code, name);
  }
  if (error)
    return drop(&code, CandidateOutcome::Refused, name,
                {RefusalKind::BackEndFailed, llvm::toString(std::move(error))});
  for (const KernelCode &made : output.module.kernels)
    if (made.refusal)
      return drop(&code, CandidateOutcome::Refused, name, *made.refusal);
  code.bytes = output.module.code.size();
  outcome.outputs.push_back(std::move(output));
}

mlir::OwningOpRef<mlir::ModuleOp> AlternativeCompile::transformPart(const ImportedModule &imported,
                                                                    GrainPart part,
                                                                    mlir::TimingScope &timing) {
  RegrainedModule made = regrainKernel(imported, kernel, grain, part, &timing);
  if (auto *module = std::get_if<mlir::OwningOpRef<mlir::ModuleOp>>(&made))
    return std::move(*module);
  outcome.refused.push_back(std::get<RefusedGrain>(std::move(made)));
  return {};
}

std::optional<Regrained> AlternativeCompile::transform(const ImportedModule &imported,
                                                       const CodegenOptions &options) {
  mlir::TimingScope timing = options.time("transform");
  Regrained regrained = {transformPart(imported, GrainPart::Whole, timing), {}};
  if (regrained.whole && grain.remainder)
    regrained.remainder = transformPart(imported, GrainPart::Remainder, timing);
  outcome.seconds = clock.seconds();
  if (!regrained.whole || (grain.remainder && !regrained.remainder))
    return std::nullopt;
  if (clock.isPast()) {
    dropForTime(nullptr, "transform");
    return std::nullopt;
  }
  return regrained;
}

std::optional<llvm::SmallString<0>>
AlternativeCompile::exportBitcode(const ImportedModule &imported, const Regrained &regrained,
                                  llvm::ArrayRef<std::string> symbols,
                                  const CodegenOptions &options) {
  llvm::LLVMContext context;
  mlir::TimingScope timing = options.time("export");
  llvm::Expected<std::unique_ptr<llvm::Module>> exported =
      exportModule(imported, kernel, regrained, symbols, context);
  timing.stop();
  outcome.seconds = clock.seconds();
  if (!exported) {
    drop(nullptr, CandidateOutcome::Refused, "export",
         {RefusalKind::ExportFailed, llvm::toString(exported.takeError())});
    return std::nullopt;
  }
  outcome.exported = true;
  tellTargets(**exported, symbols, grain);
  return bitcodeOf(**exported);
}

std::optional<llvm::SmallString<0>>
AlternativeCompile::extractBitcode(const ImportedModule &imported, llvm::StringRef symbol) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      extractKernel(imported, kernel.symbol, symbol, context);
  outcome.seconds = clock.seconds();
  if (module) {
    outcome.exported = true;
    return bitcodeOf(**module);
  }
  drop(nullptr, CandidateOutcome::Refused, "export",
       {RefusalKind::ExportFailed, llvm::toString(module.takeError())});
  return std::nullopt;
}

void AlternativeCompile::compileForAll(llvm::ArrayRef<SelectedTarget> targets,
                                       const Architecture &arch, llvm::StringRef bitcode,
                                       llvm::ArrayRef<std::string> symbols,
                                       const std::optional<NestSize> &size,
                                       const CodegenOptions &options) {
  for (auto [index, target] : llvm::enumerate(targets)) {
    if (target.deviceArch != arch)
      continue;
    CandidateCode code;
    code.target = index;
    if (std::optional<Refusal> refusal = checkTarget(target, size, grain))
      drop(&code, CandidateOutcome::Refused, "limits", std::move(*refusal));
    else
      compileFor(target, code, bitcode, symbols, options);
    outcome.codes.push_back(std::move(code));
  }
}

AlternativeOutcome regrain::compileAlternative(const DeviceWork &device, const DeviceKernel &kernel,
                                               const std::string &symbol, const Grain &grain,
                                               llvm::ArrayRef<SelectedTarget> targets,
                                               const CodegenOptions &options, unsigned secondsLimit,
                                               const Admission &admission) {
  AlternativeCompile compile{kernel, grain, Clock(secondsLimit), secondsLimit, admission, {}};
  AlternativeOutcome &outcome = compile.outcome;
  std::vector<std::string> symbols = {symbol};
  if (grain.isPlainVariant()) {
    if (auto bitcode = compile.extractBitcode(*device.imported, symbols[0]))
      compile.compileForAll(targets, device.arch, *bitcode, symbols, std::nullopt, options);
    return outcome;
  }
  std::optional<Regrained> regrained = compile.transform(*device.imported, options);
  if (!regrained)
    return outcome;
  auto op = regrained->whole->lookupSymbol<grain::KernelOp>(kernel.symbol);
  op.walk([&](grain::BlocksOp blocks) { outcome.lentBytes = grain::lentBytes(blocks); });
  op.walk([&](grain::ThreadsOp threads) { outcome.wholeWarps |= threads.getWholeWarps(); });
  if (grain.remainder)
    symbols.push_back(symbols[0] + "__rest");
  if (auto bitcode = compile.exportBitcode(*device.imported, *regrained, symbols, options))
    compile.compileForAll(targets, device.arch, *bitcode, symbols,
                          sizeOf(op, kernel.maxThreads, grain), options);
  return outcome;
}
