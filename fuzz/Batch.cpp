//===- Batch.cpp - Kernels compiled together and compared -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Batch.h"

#include "fuzz/Grains.h"
#include "fuzz/SecondOpinion.h"

using namespace llvm;

namespace regrain::fuzz {

std::string_view describe(Verdict verdict) {
  constexpr std::string_view names[] = {
      "begun",  "same",       "differs",   "faults",          "failed",  "refused",
      "misfit", "not raised", "confirmed", "not interpreted", "executed"};
  return names[size_t(verdict)];
}

namespace {

constexpr uint64_t mostSharedBytes = 228 * 1024;

/// Of the grains of one kernel. An optimiser finds what a transform promises
/// wrongly (flags, aliasing), but takes most of the time.
unsigned optLevelOf(const Kernel &kernel, const BatchOptions &options) {
  if (isOptimised(kernel, options))
    return highestLevel;
  return Random(kernel.seed ^ 0x6c6576656c).percent(6) ? 1 : 0;
}

LaunchShape shapeOf(const Kernel &kernel) {
  return {kernel.shape.grid, kernel.shape.block, dynamicBytes(kernel)};
}

/// Of the launches that share their memory.
uint64_t mostBlocksOf(const ScaledLaunch &scaled) {
  auto blocksOf = [](const LaunchShape &shape) {
    return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  };
  uint64_t blocks = blocksOf(scaled.whole);
  return scaled.remainder ? std::max(blocks, blocksOf(scaled.remainder->shape)) : blocks;
}

class BatchRun {
public:
  BatchRun(const std::vector<Subject> &subjects, const BatchOptions &options, const Say &say)
      : subjects(subjects), options(options), say(say), originals(subjects, options),
        opinion(originals, options, say) {}

  void run() {
    say(0, "original", Verdict::Begun, "compiling the originals");
    if (Error error = originals.compile())
      return say(0, "original", Verdict::Failed, toString(std::move(error)));
    for (uint32_t i = 0; i < subjects.size(); ++i)
      tryKernel(i);
  }

private:
  void tryKernel(uint32_t index);
  std::optional<Contents> runOriginal(uint32_t index, const ScaledLaunch &launch);
  std::string whyNotRaised(const std::string &symbol) const;
  std::vector<Grain> grainsOf(uint32_t index, grain::KernelOp op) const;

  void tryGrain(uint32_t index, const Grain &grain, const Contents &wanted);
  AlternativeOutcome compile(uint32_t index, const Grain &grain);
  void sayMissing(uint32_t index, const std::string &id, const AlternativeOutcome &outcome);
  std::optional<ScaledLaunch> scale(uint32_t index, const Grain &grain,
                                    const AlternativeOutcome &outcome, Misfit &misfit) const;
  Expected<Contents> runAt(Machine &on, uint32_t index, const std::string &symbol,
                           const Grain &grain, const ScaledLaunch &scaled);

  const std::vector<Subject> &subjects;
  const BatchOptions &options;
  const Say &say;
  Originals originals;
  SecondOpinion opinion;
};

Expected<Contents> BatchRun::runAt(Machine &on, uint32_t index, const std::string &symbol,
                                   const Grain &grain, const ScaledLaunch &scaled) {
  const Kernel &kernel = subjects[index].kernel;
  const DeviceKernel &device = originals.deviceKernel(index);
  Expected<const RegrainCpuKernel *> entry = on.find(symbol);
  if (!entry)
    return entry.takeError();
  if (!scaled.remainder)
    return launch(**entry, nullptr, kernel, device, scaled, grain);
  Expected<const RegrainCpuKernel *> rest = on.find(symbol + "__rest");
  if (!rest)
    return rest.takeError();
  return launch(**entry, *rest, kernel, device, scaled, grain);
}

void BatchRun::tryKernel(uint32_t index) {
  const Kernel &kernel = subjects[index].kernel;
  say(index, "original", Verdict::Begun, "");
  ScaledLaunch launch = {shapeOf(kernel), {}, 0};
  std::optional<Contents> wanted = runOriginal(index, launch);
  if (!wanted)
    return;
  opinion.executeOriginal({index, kernel, launch}, *wanted);
  auto op = originals.imported().module().lookupSymbol<grain::KernelOp>(symbolOf(index));
  if (!op)
    return say(index, "original", Verdict::NotRaised, whyNotRaised(symbolOf(index)));
  opinion.interpretOriginal({index, kernel, launch});
  say(index, "original", Verdict::Same, "");
  for (const Grain &grain : grainsOf(index, op))
    if (!grain.isOriginal())
      tryGrain(index, grain, *wanted);
}

/// What a kernel gives; nothing where it cannot be run, or gives something else
/// where it is optimised, which has been said.
std::optional<Contents> BatchRun::runOriginal(uint32_t index, const ScaledLaunch &launch) {
  const Kernel &kernel = subjects[index].kernel;
  auto failed = [&](Verdict verdict, const std::string &detail) {
    say(index, "original", verdict, detail);
    return std::nullopt;
  };
  Expected<Contents> wanted = runAt(originals.machine(), index, symbolOf(index), Grain(), launch);
  if (!wanted)
    return failed(Verdict::Failed, toString(wanted.takeError()));
  if (!isOptimised(kernel, options))
    return std::move(*wanted);
  Expected<Contents> got =
      runAt(originals.optimisedMachine(), index, symbolOf(index), Grain(), launch);
  if (!got)
    return failed(Verdict::Failed, toString(got.takeError()));
  std::string difference = firstDifference(kernel, *got, *wanted);
  if (!difference.empty())
    return failed(Verdict::Differs, difference);
  return std::move(*wanted);
}

std::string BatchRun::whyNotRaised(const std::string &symbol) const {
  std::string reason = "no reason given";
  for (const ImportedModule::NotRaised &entry : originals.imported().notRaised())
    if (entry.symbol == symbol)
      reason = entry.reason;
  return reason;
}

/// Those asked for; else they are drawn.
std::vector<Grain> BatchRun::grainsOf(uint32_t index, grain::KernelOp op) const {
  const auto &[kernel, asked] = subjects[index];
  if (!asked.empty())
    return asked;
  Random random(kernel.seed ^ 0x6772616e);
  // An optimiser takes so much longer that these kernels make do with fewer.
  size_t count = isOptimised(kernel, options) ? (options.grainsEach + 1) / 2 : options.grainsEach;
  return drawGrains(kernel, statisticsOf(op, /*launchBounds=*/0), count, random);
}

void BatchRun::tryGrain(uint32_t index, const Grain &grain, const Contents &wanted) {
  const Kernel &kernel = subjects[index].kernel;
  std::string id = toString(grain);
  say(index, id, Verdict::Begun, "");
  AlternativeOutcome outcome = compile(index, grain);
  if (outcome.outputs.empty() || outcome.outputs.front().target != 0)
    return sayMissing(index, id, outcome);
  Misfit misfit = Misfit::None;
  std::optional<ScaledLaunch> scaled = scale(index, grain, outcome, misfit);
  if (!scaled)
    return say(index, id, Verdict::Misfit, std::string(regrain::describe(misfit)));
  const CompiledModule &compiled = outcome.outputs.front().module;
  if (Error error = originals.machine().add(compiled.code))
    return say(index, id, Verdict::Failed, toString(std::move(error)));
  Expected<Contents> got =
      runAt(originals.machine(), index, compiled.kernels.front().symbol, grain, *scaled);
  if (!got)
    return say(index, id, Verdict::Failed, toString(got.takeError()));
  std::string difference = firstDifference(kernel, *got, wanted);
  if (!difference.empty())
    return say(index, id, Verdict::Differs, difference);
  std::string wrong = opinion.judge({index, kernel, *scaled}, grain, outcome, wanted);
  if (!wrong.empty())
    return say(index, id, Verdict::Faults, wrong);
  bool optimised = optLevelOf(kernel, options) == highestLevel;
  say(index, id, Verdict::Same, optimised ? std::string(optimisedCode) : "");
}

AlternativeOutcome BatchRun::compile(uint32_t index, const Grain &grain) {
  CodegenOptions codegen;
  codegen.optLevel = optLevelOf(subjects[index].kernel, options);
  return compileAlternative(originals.work(), originals.deviceKernel(index), grain,
                            originals.targets(), codegen, /*secondsLimit=*/0);
}

/// Why there is no code for the CPU.
void BatchRun::sayMissing(uint32_t index, const std::string &id,
                          const AlternativeOutcome &outcome) {
  if (outcome.refused.empty())
    return say(index, id, Verdict::Failed, "no code and no reason");
  // Only a transform may refuse: what it lets through must compile.
  const RefusedGrain &refused = outcome.refused.front();
  say(index, id, refused.stage == "transform" ? Verdict::Refused : Verdict::Failed, refused.reason);
}

/// What the program's launch becomes; nothing where it does not fit the grain, and
/// `misfit` says why.
std::optional<ScaledLaunch> BatchRun::scale(uint32_t index, const Grain &grain,
                                            const AlternativeOutcome &outcome,
                                            Misfit &misfit) const {
  const Kernel &kernel = subjects[index].kernel;
  LaunchShape program = shapeOf(kernel);
  misfit = compareKnown(kernel, originals.deviceKernel(index), program, grain);
  if (misfit != Misfit::None)
    return std::nullopt;
  std::optional<LaunchShape> shape = scaleToGrain(program, grain, outcome.wholeWarps, misfit);
  if (!shape)
    return std::nullopt;
  const KernelCode &compiled = outcome.outputs.front().module.kernels.front();
  if (shape->dynamicSharedBytes + std::max(compiled.resources.staticSharedBytes, 0) >
      mostSharedBytes) {
    misfit = Misfit::SharedMemory;
    return std::nullopt;
  }
  ScaledLaunch scaled = {*shape, remainderOf(program, grain)};
  scaled.scratchBytes = outcome.scratchBytes * mostBlocksOf(scaled);
  return scaled;
}

} // namespace

void runBatch(const std::vector<Subject> &subjects, const BatchOptions &options,
              const std::function<void(const Outcome &)> &report) {
  Say say = [&](uint32_t kernel, const std::string &grain, Verdict verdict, std::string detail) {
    for (char &c : detail)
      if (c == '\n' || c == '\t')
        c = ' ';
    report({kernel, grain, verdict, std::move(detail)});
  };
  BatchRun(subjects, options, say).run();
}

} // namespace regrain::fuzz
