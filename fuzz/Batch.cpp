//===- Batch.cpp - Kernels compiled together and compared -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Batch.h"

#include "compiler/Import/Export.h"
#include "compiler/Pipelines/Prepare.h"
#include "compiler/Target/CPU/CPU.h"
#include "fuzz/Amdgpu.h"
#include "fuzz/Grains.h"
#include "fuzz/Oracle.h"
#include "fuzz/Printer.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain::fuzz {

std::string_view describe(Verdict verdict) {
  constexpr std::string_view names[] = {
      "begun",  "same",       "differs",   "faults",          "failed",  "refused",
      "misfit", "not raised", "confirmed", "not interpreted", "executed"};
  return names[size_t(verdict)];
}

namespace {

constexpr unsigned deviceArch = 70;
constexpr uint64_t mostSharedBytes = 228 * 1024;

/// That of the compiler's users, which vectorises loops.
constexpr unsigned highestLevel = 3;

/// Whether the code of a kernel, its original's too, is optimised as a user's is.
bool isOptimised(const Kernel &kernel, const BatchOptions &options) {
  return Random(kernel.seed ^ 0x766563746f72).percent(options.optimised);
}

/// Of the grains of one kernel. An optimiser finds what a transform promises
/// wrongly (flags, aliasing), but takes most of the time.
unsigned optLevelOf(const Kernel &kernel, const BatchOptions &options) {
  if (isOptimised(kernel, options))
    return highestLevel;
  return Random(kernel.seed ^ 0x6c6576656c).percent(6) ? 1 : 0;
}

std::string symbolOf(size_t kernel) { return "k" + std::to_string(kernel); }

class BatchRun {
public:
  BatchRun(const std::vector<Subject> &subjects, const BatchOptions &options,
           const std::function<void(const Outcome &)> &report)
      : subjects(subjects), options(options), report(report) {
    codegen.optLevel = 0;
  }

  void run() {
    say(0, "original", Verdict::Begun, "compiling the originals");
    if (Error error = compileOriginals())
      return say(0, "original", Verdict::Failed, toString(std::move(error)));
    for (uint32_t i = 0; i < subjects.size(); ++i)
      tryKernel(i);
  }

private:
  void say(uint32_t kernel, std::string grain, Verdict verdict, std::string detail = "") {
    for (char &c : detail)
      if (c == '\n' || c == '\t')
        c = ' ';
    report({kernel, std::move(grain), verdict, std::move(detail)});
  }

  Error compileDeviceSide();
  Error compileOriginals();
  Error compileOptimised();
  Error compileForAmdgpu(ArrayRef<std::string> symbols);
  Expected<Machine> load(ArrayRef<std::string> symbols);
  void tryKernel(uint32_t index);
  void tryGrain(uint32_t index, const Grain &grain, const Contents &wanted);
  Expected<Contents> runAt(Machine &on, uint32_t index, const std::string &symbol,
                           const Grain &grain, const ScaledLaunch &scaled);
  void interpretOriginal(uint32_t index, const ScaledLaunch &scaled);
  std::string interpretGrain(uint32_t index, const Grain &grain, const ScaledLaunch &scaled);
  void executeOriginal(uint32_t index, const ScaledLaunch &scaled, const Contents &wanted);
  std::string executeGrain(uint32_t index, const Grain &grain, const ScaledLaunch &scaled,
                           const AlternativeOutcome &outcome, const Contents &wanted);
  std::string compareExecuted(uint32_t index, const std::string &grain, const AmdgpuOriginals &on,
                              const Interpretation &result, const Contents &wanted);
  const DeviceKernel &deviceKernel(uint32_t index) {
    return *find_if(code.kernels,
                    [&](const DeviceKernel &kernel) { return kernel.symbol == symbolOf(index); });
  }

  const std::vector<Subject> &subjects;
  const BatchOptions &options;
  const std::function<void(const Outcome &)> &report;
  CodegenOptions codegen;
  ImageOptions imageOptions;
  DeviceCode code;
  PreparedDevices prepared;
  std::vector<SelectedTarget> targets;
  std::optional<Machine> machine;
  std::optional<Machine> optimised; ///< originals, where some are wanted optimised
  LLVMContext context;
  std::unique_ptr<llvm::Module> originals;
  std::optional<Contents> interpreted; ///< what the running kernel's original gives
  std::vector<AmdgpuOriginals> amdgpu; ///< in the order of the targets behind the first
};

Error BatchRun::compileDeviceSide() {
  SmallString<128> path;
  int file = -1;
  if (std::error_code error = sys::fs::createTemporaryFile("regrain-fuzz", "cu", file, path))
    return createStringError(error, "cannot write the kernels");
  auto removeFile = make_scope_exit([&] { sys::fs::remove(path); });
  raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << printPrelude();
  for (size_t i = 0; i < subjects.size(); ++i)
    stream << print(subjects[i].kernel, symbolOf(i));
  stream.close();
  FrontendOptions frontend;
  frontend.source = std::string(path);
  frontend.headers = options.headers;
  frontend.clangArgs = {"-w"};
  Expected<DeviceCode> compiled = compileDevice(frontend, deviceArch);
  if (!compiled)
    return compiled.takeError();
  code = std::move(*compiled);
  return Error::success();
}

Error BatchRun::compileOriginals() {
  if (Error error = compileDeviceSide())
    return error;
  imageOptions.alternatives = 1;
  std::vector<DeviceVariable> variables;
  Expected<PreparedDevices> made =
      prepareDevices({ArchedDevice{deviceArch, &code}}, imageOptions, variables);
  if (!made)
    return made.takeError();
  prepared = std::move(*made);
  prepared.context->disableMultithreading();
  std::vector<std::string> warnings;
  std::vector<std::string> names = {"cpu"};
  for (const std::string &chip : options.amdgpu)
    names.push_back(chip + "-ir");
  Expected<std::vector<SelectedTarget>> selected = selectTargets(names, warnings);
  if (!selected)
    return selected.takeError();
  targets = std::move(*selected);

  const DeviceWork &work = prepared.works.front();
  auto module = parseBitcodeFile(
      MemoryBufferRef(StringRef(work.bitcode.data(), work.bitcode.size()), "device"), context);
  if (!module)
    return module.takeError();
  originals = std::move(*module);
  Expected<Machine> loaded = load(work.kernelSymbols());
  if (!loaded)
    return loaded.takeError();
  machine.emplace(std::move(*loaded));
  if (Error error = compileForAmdgpu(work.kernelSymbols()))
    return error;
  return compileOptimised();
}

Error BatchRun::compileForAmdgpu(ArrayRef<std::string> symbols) {
  for (const SelectedTarget &target : ArrayRef(targets).drop_front()) {
    Expected<AmdgpuOriginals> compiled =
        AmdgpuOriginals::compile(target, *originals, symbols, codegen);
    if (!compiled)
      return compiled.takeError();
    amdgpu.push_back(std::move(*compiled));
  }
  return Error::success();
}

Error BatchRun::compileOptimised() {
  std::vector<std::string> symbols;
  for (size_t i = 0; i < subjects.size(); ++i)
    if (isOptimised(subjects[i].kernel, options))
      symbols.push_back(symbolOf(i));
  if (symbols.empty())
    return Error::success();
  codegen.optLevel = highestLevel;
  Expected<Machine> loaded = load(symbols);
  codegen.optLevel = 0;
  if (!loaded)
    return loaded.takeError();
  optimised.emplace(std::move(*loaded));
  return Error::success();
}

/// Originals on a machine of their own.
Expected<Machine> BatchRun::load(ArrayRef<std::string> symbols) {
  Expected<CompiledModule> compiled =
      CPUTarget().compileBase(CloneModule(*originals), symbols, codegen);
  if (!compiled)
    return compiled.takeError();
  for (const KernelCode &kernel : compiled->kernels)
    if (!kernel.missingReason.empty())
      return createStringError(kernel.symbol + ": " + kernel.missingReason);
  Expected<Machine> created = Machine::create();
  if (!created)
    return created.takeError();
  if (Error error = created->add(compiled->code))
    return std::move(error);
  return created;
}

Expected<Contents> BatchRun::runAt(Machine &on, uint32_t index, const std::string &symbol,
                                   const Grain &grain, const ScaledLaunch &scaled) {
  Expected<const RegrainCpuKernel *> entry = on.find(symbol);
  if (!entry)
    return entry.takeError();
  if (!scaled.remainder)
    return launch(**entry, nullptr, subjects[index].kernel, deviceKernel(index), scaled, grain);
  Expected<const RegrainCpuKernel *> rest = on.find(symbol + "__rest");
  if (!rest)
    return rest.takeError();
  return launch(**entry, *rest, subjects[index].kernel, deviceKernel(index), scaled, grain);
}

void BatchRun::tryKernel(uint32_t index) {
  const Kernel &kernel = subjects[index].kernel;
  say(index, "original", Verdict::Begun);
  ScaledLaunch shape = {{kernel.shape.grid, kernel.shape.block, dynamicBytes(kernel)}, {}, 0};
  Expected<Contents> wanted = runAt(*machine, index, symbolOf(index), Grain(), shape);
  if (!wanted)
    return say(index, "original", Verdict::Failed, toString(wanted.takeError()));
  if (isOptimised(kernel, options)) {
    Expected<Contents> got = runAt(*optimised, index, symbolOf(index), Grain(), shape);
    if (!got)
      return say(index, "original", Verdict::Failed, toString(got.takeError()));
    std::string difference = firstDifference(kernel, *got, *wanted);
    if (!difference.empty())
      return say(index, "original", Verdict::Differs, difference);
  }
  executeOriginal(index, shape, *wanted);
  const ImportedModule &imported = *prepared.works.front().imported;
  auto op = imported.module().lookupSymbol<grain::KernelOp>(symbolOf(index));
  if (!op) {
    std::string reason = "no reason given";
    for (const ImportedModule::NotRaised &entry : imported.notRaised())
      if (entry.symbol == symbolOf(index))
        reason = entry.reason;
    return say(index, "original", Verdict::NotRaised, reason);
  }
  interpretOriginal(index, shape);
  say(index, "original", Verdict::Same);
  std::vector<Grain> grains = subjects[index].grains;
  if (grains.empty()) {
    Random random(kernel.seed ^ 0x6772616e);
    // An optimiser takes so much longer that these kernels make do with fewer.
    size_t count = isOptimised(kernel, options) ? (options.grainsEach + 1) / 2 : options.grainsEach;
    grains = drawGrains(kernel, statisticsOf(op, /*launchBounds=*/0), count, random);
  }
  for (const Grain &grain : grains)
    if (!grain.isOriginal())
      tryGrain(index, grain, *wanted);
}

/// Of the launches that share their memory.
static uint64_t mostBlocksOf(const ScaledLaunch &scaled) {
  auto blocksOf = [](const LaunchShape &shape) {
    return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  };
  uint64_t blocks = blocksOf(scaled.whole);
  return scaled.remainder ? std::max(blocks, blocksOf(scaled.remainder->shape)) : blocks;
}

void BatchRun::tryGrain(uint32_t index, const Grain &grain, const Contents &wanted) {
  const Kernel &kernel = subjects[index].kernel;
  std::string id = toString(grain);
  say(index, id, Verdict::Begun);
  codegen.optLevel = optLevelOf(kernel, options);
  AlternativeOutcome outcome =
      compileAlternative(prepared.works.front(), deviceKernel(index), grain, targets, codegen,
                         /*secondsLimit=*/0);
  if (outcome.outputs.empty() || outcome.outputs.front().target != 0) {
    const RefusedGrain *refused = outcome.refused.empty() ? nullptr : &outcome.refused.front();
    // Only a transform may refuse: what it lets through must compile.
    bool isLegal = refused && refused->stage == "transform";
    return say(index, id, isLegal ? Verdict::Refused : Verdict::Failed,
               refused ? refused->reason : "no code and no reason");
  }
  LaunchShape program = {kernel.shape.grid, kernel.shape.block, dynamicBytes(kernel)};
  Misfit misfit = compareKnown(kernel, deviceKernel(index), program, grain);
  std::optional<LaunchShape> shape;
  if (misfit == Misfit::None)
    shape = scaleToGrain(program, grain, outcome.wholeWarps, misfit);
  const KernelCode &compiled = outcome.outputs.front().module.kernels.front();
  if (shape && shape->dynamicSharedBytes + std::max(compiled.resources.staticSharedBytes, 0) >
                   mostSharedBytes) {
    misfit = Misfit::SharedMemory;
    shape.reset();
  }
  if (!shape)
    return say(index, id, Verdict::Misfit, std::string(regrain::describe(misfit)));
  if (Error error = machine->add(outcome.outputs.front().module.code))
    return say(index, id, Verdict::Failed, toString(std::move(error)));
  ScaledLaunch scaled = {*shape, remainderOf(program, grain)};
  scaled.scratchBytes = outcome.scratchBytes * mostBlocksOf(scaled);
  Expected<Contents> got = runAt(*machine, index, compiled.symbol, grain, scaled);
  if (!got)
    return say(index, id, Verdict::Failed, toString(got.takeError()));
  std::string difference = firstDifference(kernel, *got, wanted);
  if (!difference.empty())
    return say(index, id, Verdict::Differs, difference);
  if (interpreted)
    difference = interpretGrain(index, grain, scaled);
  if (difference.empty())
    difference = executeGrain(index, grain, scaled, outcome, wanted);
  if (!difference.empty())
    return say(index, id, Verdict::Faults, difference);
  say(index, id, Verdict::Same, codegen.optLevel == highestLevel ? std::string(optimisedCode) : "");
}

/// Fills `interpreted` where the kernel is among those that are interpreted.
void BatchRun::interpretOriginal(uint32_t index, const ScaledLaunch &scaled) {
  const Kernel &kernel = subjects[index].kernel;
  interpreted.reset();
  if (!Random(kernel.seed ^ 0x6f7261636c65).percent(options.interpreted))
    return;
  Interpretation result = interpret({originals.get(), symbolOf(index), originals.get()}, kernel,
                                    scaled, Grain(), kernel.seed);
  if (result.kind == Interpretation::Done)
    interpreted = std::move(result.contents);
  else
    say(index, "original",
        result.kind == Interpretation::Faulty ? Verdict::Faults : Verdict::Unable, result.reason);
}

/// What is wrong with a grain when it is interpreted; empty where nothing is.
std::string BatchRun::interpretGrain(uint32_t index, const Grain &grain,
                                     const ScaledLaunch &scaled) {
  const Kernel &kernel = subjects[index].kernel;
  const ImportedModule &imported = *prepared.works.front().imported;
  std::string symbol = symbolOf(index) + "_interpreted";
  auto exported = [&](auto regrain) -> Expected<std::unique_ptr<llvm::Module>> {
    std::vector<RefusedGrain> refused;
    auto regrained = regrain(imported, deviceKernel(index), grain, refused);
    if (!regrained)
      return createStringError("refused when it is done again");
    return exportKernel(regrained->template lookupSymbol<grain::KernelOp>(symbolOf(index)),
                        imported, symbol, context);
  };
  Expected<std::unique_ptr<llvm::Module>> whole = exported(regrainKernel);
  if (!whole)
    return toString(whole.takeError());
  std::unique_ptr<llvm::Module> rest;
  if (scaled.remainder) {
    Expected<std::unique_ptr<llvm::Module>> remainder = exported(regrainRemainder);
    if (!remainder)
      return toString(remainder.takeError());
    rest = std::move(*remainder);
  }
  Interpretation result = interpret({whole->get(), symbol, originals.get(), rest.get(), symbol},
                                    kernel, scaled, grain, kernel.seed + 1);
  if (result.kind == Interpretation::Faulty)
    return "interpreted: " + result.reason;
  if (result.kind == Interpretation::Unable) {
    say(index, toString(grain), Verdict::Unable, result.reason);
    return "";
  }
  std::string difference = firstDifference(kernel, result.contents, *interpreted);
  if (!difference.empty())
    return "interpreted: " + difference;
  say(index, toString(grain), Verdict::Confirmed);
  return "";
}

/// What is wrong with a run as an AMD GPU's code; empty where nothing is.
std::string BatchRun::compareExecuted(uint32_t index, const std::string &grain,
                                      const AmdgpuOriginals &on, const Interpretation &result,
                                      const Contents &wanted) {
  if (result.kind == Interpretation::Faulty)
    return on.chip() + ": " + result.reason;
  if (result.kind == Interpretation::Unable) {
    say(index, grain, Verdict::Unable, on.chip() + ": " + result.reason);
    return "";
  }
  std::string difference = firstDifference(subjects[index].kernel, result.contents, wanted);
  if (!difference.empty())
    return on.chip() + ": " + difference;
  say(index, grain, Verdict::Executed, on.chip());
  return "";
}

void BatchRun::executeOriginal(uint32_t index, const ScaledLaunch &scaled, const Contents &wanted) {
  for (const AmdgpuOriginals &on : amdgpu) {
    Interpretation result = on.runOriginal(symbolOf(index), subjects[index].kernel, scaled);
    std::string wrong = compareExecuted(index, "original", on, result, wanted);
    if (!wrong.empty())
      say(index, "original", Verdict::Faults, wrong);
  }
}

/// The same of a grain on all chips; what a back end fails on counts.
std::string BatchRun::executeGrain(uint32_t index, const Grain &grain, const ScaledLaunch &scaled,
                                   const AlternativeOutcome &outcome, const Contents &wanted) {
  for (const RefusedGrain &refused : outcome.refused)
    if (refused.kind == RefusalKind::BackEndFailed)
      return refused.stage + ": " + refused.reason;
    else
      say(index, toString(grain), Verdict::Unable, refused.stage + ": " + refused.reason);
  for (const TargetOutput &output : ArrayRef(outcome.outputs).drop_front()) {
    const AmdgpuOriginals &on = amdgpu[output.target - 1];
    Interpretation result = on.runGrain(output, subjects[index].kernel, scaled, grain);
    std::string wrong = compareExecuted(index, toString(grain), on, result, wanted);
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

} // namespace

void runBatch(const std::vector<Subject> &subjects, const BatchOptions &options,
              const std::function<void(const Outcome &)> &report) {
  BatchRun(subjects, options, report).run();
}

} // namespace regrain::fuzz
