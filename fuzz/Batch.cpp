//===- Batch.cpp - Kernels compiled together and compared -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Batch.h"

#include "fuzz/Grains.h"
#include "fuzz/SecondOpinion.h"
#include "runtime/core/residency.h"
#include "runtime/image/grain_keys.h"
#include "runtime/image/max_resident.h"

using namespace llvm;

namespace regrain::fuzz {

std::string_view describe(Verdict verdict) {
  constexpr std::string_view names[] = {
      "begun",  "same",       "differs",   "faults",          "failed",   "refused",
      "misfit", "not raised", "confirmed", "not interpreted", "executed", "waits for ever"};
  return names[size_t(verdict)];
}

bool isFinding(Verdict verdict) {
  return verdict == Verdict::Differs || verdict == Verdict::Faults || verdict == Verdict::Failed ||
         verdict == Verdict::Waits;
}

namespace {

constexpr uint64_t mostSharedBytes = 228 * 1024;
/// Every version of CUDA accepts this.
constexpr uint64_t mostParameterBytes = 4096;

/// Returns the level for the grains of one kernel. An optimiser reveals wrong
/// promises of a transform (flags, aliasing), but takes most of the time.
unsigned optLevelOf(uint64_t seed, const BatchOptions &options) {
  if (isOptimised(seed, options))
    return highestLevel;
  return Random(seed ^ 0x6c6576656c).percent(6) ? 1 : 0;
}

LaunchShape shapeOf(const Task &task) {
  return {task.shape.grid, task.shape.block, task.dynamicBytes};
}

/// Returns the size of all parameters of a launch at a grain, including those
/// that the grain appends.
uint64_t parameterBytes(const DeviceKernel &device, const Grain &grain,
                        const ScaledLaunch &scaled) {
  uint64_t bytes = 0;
  for (const DeviceKernel::Parameter &parameter : device.parameters)
    bytes = std::max<uint64_t>(bytes, parameter.offset + parameter.size);
  if (scaled.lentBytes)
    bytes = alignTo(bytes, 8) + 8;
  constexpr uint64_t extents = 3 * sizeof(uint32_t);
  for (bool isAppended : {grain.takesGrid(), grain.takesBlock(), scaled.remainder.has_value()})
    bytes = isAppended ? alignTo(bytes, 4) + extents : bytes;
  return bytes;
}

/// Returns the maximum of blocks over the launches that share their memory.
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
  /// The inputs of a kernel's run in the batch, and the original's result.
  struct Running {
    uint32_t index;
    const Specimen &kernel;
    Task task;
    std::optional<Contents> wanted = std::nullopt; ///< nothing if the CPU does not run it
  };

  void tryKernel(uint32_t index);
  bool runOriginal(Running &running, const ScaledLaunch &launch);
  bool runOptimised(const Running &running, const ScaledLaunch &launch);
  std::string whyNotRaised(const std::string &symbol) const;
  std::vector<Grain> grainsOf(const Running &running, grain::KernelOp op) const;

  void tryGrain(const Running &running, const Grain &grain);
  bool runGrain(const Running &running, const Grain &grain, const AlternativeOutcome &outcome,
                const ScaledLaunch &scaled);
  AlternativeOutcome compile(const Running &running, const Grain &grain);
  void sayMissing(uint32_t index, const std::string &id, const AlternativeOutcome &outcome);
  tl::expected<ScaledLaunch, Misfit> scale(const Running &running, const Grain &grain,
                                           const AlternativeOutcome &outcome) const;
  Expected<Contents> runAt(Machine &on, const Running &running, const std::string &symbol,
                           const Grain &grain, const ScaledLaunch &scaled);
  std::string findWrongIn(const Running &running, const Contents &got) const;
  void sayFailed(uint32_t index, const std::string &grain, Error error);

  const std::vector<Subject> &subjects;
  const BatchOptions &options;
  const Say &say;
  Originals originals;
  SecondOpinion opinion;
};

Expected<Contents> BatchRun::runAt(Machine &on, const Running &running, const std::string &symbol,
                                   const Grain &grain, const ScaledLaunch &scaled) {
  const DeviceKernel &device = originals.deviceKernel(running.index);
  Expected<const RegrainCpuKernel *> entry = on.find(symbol);
  if (!entry)
    return entry.takeError();
  if (!scaled.remainder)
    return launch(**entry, nullptr, running.task, device, scaled, grain);
  Expected<const RegrainCpuKernel *> rest = on.find(symbol + "__rest");
  if (!rest)
    return rest.takeError();
  return launch(**entry, *rest, running.task, device, scaled, grain);
}

/// Checks the contents alone, and against the original's result, if there is
/// one.
std::string BatchRun::findWrongIn(const Running &running, const Contents &got) const {
  std::string wrong = findWrong(running.kernel, got);
  return wrong.empty() && running.wanted ? firstDifference(running.task, got, *running.wanted)
                                         : wrong;
}

void BatchRun::sayFailed(uint32_t index, const std::string &grain, Error error) {
  Verdict verdict = error.isA<WaitsForEver>() ? Verdict::Waits : Verdict::Failed;
  say(index, grain, verdict, toString(std::move(error)));
}

void BatchRun::tryKernel(uint32_t index) {
  Running running = {index, subjects[index].kernel, taskOf(subjects[index].kernel)};
  say(index, "original", Verdict::Begun, "");
  ScaledLaunch launch = {shapeOf(running.task), {}, 0};
  Trial trial = {index, running.kernel, running.task, launch};
  bool runs = runOriginal(running, launch);
  // A kernel with invariants is tested even without its original.
  if (!runs && !running.task.mayWait)
    return;
  if (running.wanted)
    opinion.executeOriginal(trial, *running.wanted);
  auto op = originals.imported().module().lookupSymbol<grain::KernelOp>(symbolOf(index));
  if (!op)
    return say(index, "original", Verdict::NotRaised, whyNotRaised(symbolOf(index)));
  opinion.interpretOriginal(trial, running.wanted);
  if (runs)
    say(index, "original", Verdict::Same, "");
  for (const Grain &grain : grainsOf(running, op))
    if (!grain.isOriginal())
      tryGrain(running, grain);
}

/// Returns whether the original's result is right; errors have been reported.
bool BatchRun::runOriginal(Running &running, const ScaledLaunch &launch) {
  if (const Refusal *refusal = originals.refusalOf(running.index)) {
    say(running.index, "original", Verdict::Unable, "cpu: " + refusal->reason);
    return false;
  }
  Expected<Contents> got =
      runAt(originals.machine(), running, symbolOf(running.index), Grain(), launch);
  if (!got)
    return sayFailed(running.index, "original", got.takeError()), false;
  std::string wrong = findWrongIn(running, *got);
  if (!wrong.empty())
    return say(running.index, "original", Verdict::Differs, wrong), false;
  running.wanted = std::move(*got);
  return !isOptimised(running.task.seed, options) || runOptimised(running, launch);
}

/// Does the same for its code as it is optimised for a user.
bool BatchRun::runOptimised(const Running &running, const ScaledLaunch &launch) {
  Expected<Contents> got =
      runAt(originals.optimisedMachine(), running, symbolOf(running.index), Grain(), launch);
  if (!got)
    return sayFailed(running.index, "original", got.takeError()), false;
  std::string wrong = findWrongIn(running, *got);
  if (!wrong.empty())
    say(running.index, "original", Verdict::Differs, wrong);
  return wrong.empty();
}

std::string BatchRun::whyNotRaised(const std::string &symbol) const {
  const RefusedKernels &refused = originals.imported().notRaised();
  auto found = refused.find(symbol);
  return found == refused.end() ? "no reason given" : found->second.reason;
}

/// Returns the requested grains; otherwise draws them.
std::vector<Grain> BatchRun::grainsOf(const Running &running, grain::KernelOp op) const {
  const std::vector<Grain> &asked = subjects[running.index].grains;
  if (!asked.empty())
    return asked;
  uint64_t seed = running.task.seed;
  Random random(seed ^ 0x6772616e);
  // Optimisation takes so much longer that these kernels get fewer grains.
  size_t count = isOptimised(seed, options) ? (options.grainsEach + 1) / 2 : options.grainsEach;
  return drawGrains(running.task, statisticsOf(op, /*launchBounds=*/0), count, random);
}

void BatchRun::tryGrain(const Running &running, const Grain &grain) {
  std::string id = toString(grain);
  uint32_t index = running.index;
  say(index, id, Verdict::Begun, "");
  AlternativeOutcome outcome = compile(running, grain);
  bool isCompiled = !outcome.outputs.empty() && outcome.outputs.front().target == 0;
  // If the CPU has no code for the original or the grain, only the interpreter checks the grain.
  std::string refused = whyRefusedBy(KeyTargets::Cpu, grain);
  bool isInterpreted = (!running.wanted || !refused.empty()) && outcome.exported;
  if (!isCompiled && !isInterpreted)
    return sayMissing(index, id, outcome);
  if (!refused.empty() && !opinion.isAny())
    return say(index, id, Verdict::Refused, refused);
  tl::expected<ScaledLaunch, Misfit> scaled = scale(running, grain, outcome);
  if (!scaled)
    return say(index, id, Verdict::Misfit, std::string(regrain::describe(scaled.error())));
  if (uint64_t bytes = parameterBytes(originals.deviceKernel(index), grain, *scaled);
      bytes > mostParameterBytes)
    return say(index, id, Verdict::Failed,
               "its parameters take more than " + std::to_string(mostParameterBytes) + " bytes");
  if (running.wanted && refused.empty() && !runGrain(running, grain, outcome, *scaled))
    return;
  auto [verdict, wrong] =
      opinion.judge({index, running.kernel, running.task, *scaled}, grain, outcome, running.wanted);
  if (isFinding(verdict))
    return say(index, id, verdict, wrong);
  bool optimised = optLevelOf(running.task.seed, options) == highestLevel;
  say(index, id, Verdict::Same, optimised ? std::string(optimisedCode) : "");
}

/// Returns whether the grain's result on the CPU is right; errors have been
/// reported.
bool BatchRun::runGrain(const Running &running, const Grain &grain,
                        const AlternativeOutcome &outcome, const ScaledLaunch &scaled) {
  std::string id = toString(grain);
  const CompiledModule &compiled = outcome.outputs.front().module;
  if (Error error = originals.machine().add(compiled.code))
    return sayFailed(running.index, id, std::move(error)), false;
  Expected<Contents> got =
      runAt(originals.machine(), running, compiled.kernels.front().symbol, grain, scaled);
  if (!got)
    return sayFailed(running.index, id, got.takeError()), false;
  std::string wrong = findWrongIn(running, *got);
  if (!wrong.empty())
    say(running.index, id, Verdict::Differs, wrong);
  return wrong.empty();
}

AlternativeOutcome BatchRun::compile(const Running &running, const Grain &grain) {
  CodegenOptions codegen;
  codegen.optLevel = optLevelOf(running.task.seed, options);
  codegen.fuseMultiplyAdd = false; // the results are compared with the CPU's
  const DeviceKernel &kernel = originals.deviceKernel(running.index);
  return compileAlternative(originals.work(), kernel, symbolAt(kernel, grain), grain,
                            originals.targets(), codegen, /*secondsLimit=*/0);
}

/// Reports why there is no code for the CPU.
void BatchRun::sayMissing(uint32_t index, const std::string &id,
                          const AlternativeOutcome &outcome) {
  if (outcome.refused.empty())
    return say(index, id, Verdict::Failed, "no code and no reason");
  // Only a transform may refuse: whatever it accepts must compile.
  const RefusedGrain &refused = outcome.refused.front();
  say(index, id, refused.stage == "transform" ? Verdict::Refused : Verdict::Failed,
      refused.refusal.reason);
}

/// Gives a block the shared memory with which the grain keeps others away, as the runtime does.
/// What the code computes must not depend on it.
void limitResidents(const Grain &grain, uint64_t staticBytes, LaunchShape &shape) {
  constexpr uint64_t ofMultiprocessor = 32 * 1024; // little, so that blocks are made quickly
  uint32_t most = maxResidentOf(grain);
  if (!most || staticBytes > ofMultiprocessor)
    return;
  SharedMemoryUnits units = {0, 1, ofMultiprocessor, {ofMultiprocessor}};
  BlockMemory block = {staticBytes, shape.dynamicSharedBytes, ofMultiprocessor - staticBytes,
                       multipleOfSharedBytes(grain)};
  if (std::optional<Residency> found = limitResidency(units, block, most))
    shape.dynamicSharedBytes = found->dynamicBytes;
}

/// Returns the launches that the program's launch becomes, or the reason if it
/// does not fit the grain.
tl::expected<ScaledLaunch, Misfit> BatchRun::scale(const Running &running, const Grain &grain,
                                                   const AlternativeOutcome &outcome) const {
  LaunchShape program = shapeOf(running.task);
  Misfit misfit = compareKnown(running.task, originals.deviceKernel(running.index), program, grain);
  if (misfit != Misfit::None)
    return tl::unexpected(misfit);
  tl::expected<LaunchShape, Misfit> shape = scaleToGrain(program, grain, outcome.wholeWarps);
  if (!shape)
    return tl::unexpected(shape.error());
  int staticBytes = 0;
  if (!outcome.outputs.empty())
    staticBytes = outcome.outputs.front().module.kernels.front().resources.staticSharedBytes;
  limitResidents(grain, std::max(staticBytes, 0), *shape);
  if (shape->dynamicSharedBytes + std::max(staticBytes, 0) > mostSharedBytes)
    return tl::unexpected(Misfit::SharedMemory);
  ScaledLaunch scaled = {*shape, remainderOf(program, grain)};
  scaled.lentBytes = outcome.lentBytes * mostBlocksOf(scaled);
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
