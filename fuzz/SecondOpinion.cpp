//===- SecondOpinion.cpp - Interpretation of a batch's kernels ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/SecondOpinion.h"

#include "compiler/DeviceIR/FuseProducts.h"
#include "compiler/Export/Export.h"
#include "compiler/Target/InlineAssembly.h"
#include "compiler/Target/NVPTX/Memory/IntrinsicSpaces.h"
#include "compiler/Target/NVPTX/Optimize.h"
#include "fuzz/Oracle.h"
#include "fuzz/Random.h"
#include "interpreter/Program.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain::fuzz {

/// This precedes a fault that appears only after that target's pipeline.
static constexpr const char forNvidia[] = "as optimised for NVIDIA GPUs: ";

/// Returns the verdict on a faulty run.
static Verdict verdictOf(const Interpretation &result, const Task &task) {
  if (result.kind == Interpretation::Endless && task.mayWait)
    return Verdict::Waits;
  bool isUnable = result.kind == Interpretation::Unable || result.kind == Interpretation::Endless;
  return isUnable ? Verdict::Unable : Verdict::Faults;
}

/// Replaces the assembly that the interpreter does not know.
static void lowerUnknownAssembly(llvm::Module &module) {
  lowerInlineAssembly(module, [](const CallInst &call) { return bool(findAssembly(call)); });
}

/// Fuses products and sums or not, runs LLVM's pipeline for NVIDIA GPUs, which relies on attributes
/// more than the others, so that it reveals a wrong attribute of the IR, and prints PTX: the IR is
/// then what instructions have been selected for. LLVM's target remembers the launch bounds of its
/// functions by their addresses until a module is printed, and other modules reuse these.
static void optimiseForNvidia(std::unique_ptr<llvm::Module> &module, bool fuses,
                              const nvptx::CodeChoices &choices = {}) {
  settleProducts(*module, [&](llvm::Type *) { return fuses; });
  std::unique_ptr<TargetMachine> machine =
      nvptx::createMachine({.chip = "sm_90", .ptxVersion = 83});
  nvptx::optimize(*module, *machine, highestLevel, choices);
  nvptx::nameIntrinsicSpaces(*module);
  cantFail(nvptx::emitPtx(*module, *machine, choices.addresses));
  lowerUnknownAssembly(*module);
}

void SecondOpinion::interpretOriginal(const Trial &trial, const std::optional<Contents> &wanted) {
  const Task &task = trial.task;
  interpreted.reset();
  fused.reset();
  uint32_t share = task.isPattern && options.interpreted ? 100 : options.interpreted;
  if (!task.mayWait && !Random(task.seed ^ 0x6f7261636c65).percent(share))
    return;
  if (!written) {
    written = CloneModule(originals.module());
    lowerUnknownAssembly(*written);
  }
  Interpretation result = interpret({written.get(), symbolOf(trial.index), written.get()}, task,
                                    trial.scaled, Grain(), task.seed);
  if (result.kind != Interpretation::Done ||
      !(result.reason = findWrong(trial.kernel, result.contents)).empty()) {
    say(trial.index, "original", verdictOf(result, task), "interpreted: " + result.reason);
    return;
  }
  interpreted = std::move(result.contents);
  std::string different = wanted ? firstDifference(task, *interpreted, *wanted) : "";
  if (!different.empty())
    say(trial.index, "original", Verdict::Faults, "interpreted: " + different);
  if (!optimised) {
    optimised = CloneModule(originals.module());
    optimiseForNvidia(optimised, /*fuses=*/false);
    withFusions = originals.moduleWithFusions();
    optimiseForNvidia(withFusions, /*fuses=*/true);
  }
  auto [verdict, wrong] = compareInterpreted(
      trial, Grain(), {optimised.get(), symbolOf(trial.index), optimised.get()}, *interpreted);
  if (isFinding(verdict))
    say(trial.index, "original", verdict, forNvidia + wrong);
  interpretFusions(trial);
}

/// Interprets the original with fused products, whose result no other one gives.
void SecondOpinion::interpretFusions(const Trial &trial) {
  Interpretation result = interpret({withFusions.get(), symbolOf(trial.index), withFusions.get()},
                                    trial.task, trial.scaled, Grain(), trial.task.seed);
  if (result.kind == Interpretation::Done &&
      (result.reason = findWrong(trial.kernel, result.contents)).empty())
    fused = std::move(result.contents);
  else
    say(trial.index, "original", verdictOf(result, trial.task), forNvidia + result.reason);
}

void SecondOpinion::executeOriginal(const Trial &trial, const Contents &wanted) {
  for (const AmdgpuOriginals &on : originals.amdgpu()) {
    Interpretation result = on.runOriginal(symbolOf(trial.index), trial.task, trial.scaled);
    std::string wrong = compareExecuted(trial, "original", on, result, wanted);
    if (!wrong.empty())
      say(trial.index, "original", Verdict::Faults, wrong);
  }
}

std::pair<Verdict, std::string> SecondOpinion::judge(const Trial &trial, const Grain &grain,
                                                     const AlternativeOutcome &outcome,
                                                     const std::optional<Contents> &wanted) {
  if (interpreted)
    if (auto wrong = interpretGrain(trial, grain); isFinding(wrong.first))
      return wrong;
  std::string wrong = wanted ? executeGrain(trial, grain, outcome, *wanted) : "";
  return {wrong.empty() ? Verdict::Same : Verdict::Faults, wrong};
}

Expected<std::unique_ptr<llvm::Module>> SecondOpinion::exportPart(GrainPart part, uint32_t index,
                                                                  const Grain &grain,
                                                                  const std::string &symbol) {
  const ImportedModule &imported = originals.imported();
  RegrainedModule made = regrainKernel(imported, originals.deviceKernel(index), grain, part);
  auto *regrained = std::get_if<mlir::OwningOpRef<mlir::ModuleOp>>(&made);
  if (!regrained)
    return createStringError("refused when it is done again");
  return exportKernel((*regrained)->lookupSymbol<grain::KernelOp>(symbolOf(index)), imported,
                      symbol, originals.context());
}

std::pair<Verdict, std::string> SecondOpinion::interpretGrain(const Trial &trial,
                                                              const Grain &grain) {
  std::string symbol = symbolOf(trial.index) + "_interpreted";
  auto whole = exportPart(GrainPart::Whole, trial.index, grain, symbol);
  if (!whole)
    return {Verdict::Faults, toString(whole.takeError())};
  std::unique_ptr<llvm::Module> rest;
  if (trial.scaled.remainder) {
    auto remainder = exportPart(GrainPart::Remainder, trial.index, grain, symbol);
    if (!remainder)
      return {Verdict::Faults, toString(remainder.takeError())};
    rest = std::move(*remainder);
  }
  std::unique_ptr<llvm::Module> plain = CloneModule(**whole),
                                plainRest = rest ? CloneModule(*rest) : nullptr;
  lowerUnknownAssembly(*plain);
  if (plainRest)
    lowerUnknownAssembly(*plainRest);
  InterpretedCode code = {plain.get(), symbol, &originals.module(), plainRest.get(), symbol};
  std::pair<Verdict, std::string> found = compareInterpreted(trial, grain, code, *interpreted);
  if (found.first != Verdict::Same || !fused)
    return found;
  say(trial.index, toString(grain), Verdict::Confirmed, "");
  tellTargets(**whole, symbol, grain);
  nvptx::CodeChoices choices = nvptx::choicesOf(**whole, symbol);
  optimiseForNvidia(*whole, /*fuses=*/true, choices);
  if (rest)
    optimiseForNvidia(rest, /*fuses=*/true, choices);
  code = {whole->get(), symbol, &originals.module(), rest.get(), symbol};
  found = compareInterpreted(trial, grain, code, *fused);
  if (isFinding(found.first))
    found.second = forNvidia + found.second;
  return found;
}

/// Interprets a launch; describes how its result differs from `wanted`, the original's.
std::pair<Verdict, std::string> SecondOpinion::compareInterpreted(const Trial &trial,
                                                                  const Grain &grain,
                                                                  const InterpretedCode &code,
                                                                  const Contents &wanted) {
  Interpretation result = interpret(code, trial.task, trial.scaled, grain, trial.task.seed + 1);
  if (result.kind != Interpretation::Done) {
    Verdict verdict = verdictOf(result, trial.task);
    if (verdict == Verdict::Unable)
      say(trial.index, toString(grain), verdict, result.reason);
    return {verdict, "interpreted: " + result.reason};
  }
  std::string wrong = findWrong(trial.kernel, result.contents);
  if (wrong.empty())
    wrong = firstDifference(trial.task, result.contents, wanted);
  if (!wrong.empty())
    return {Verdict::Faults, "interpreted: " + wrong};
  return {Verdict::Same, ""};
}

/// Returns what is wrong with a run as an AMD GPU's code; empty if nothing is.
std::string SecondOpinion::compareExecuted(const Trial &trial, const std::string &grain,
                                           const AmdgpuOriginals &on, const Interpretation &result,
                                           const Contents &wanted) {
  if (result.kind == Interpretation::Faulty)
    return on.chip() + ": " + result.reason;
  // A kernel that ends on the CPU also ends in waves, or is refused there.
  if (result.kind == Interpretation::Endless && trial.task.mayWait)
    return on.chip() + ": waits for ever";
  if (result.kind != Interpretation::Done) {
    say(trial.index, grain, Verdict::Unable, on.chip() + ": " + result.reason);
    return "";
  }
  std::string wrong = findWrong(trial.kernel, result.contents);
  if (wrong.empty())
    wrong = firstDifference(trial.task, result.contents, wanted);
  if (!wrong.empty())
    return on.chip() + ": " + wrong;
  say(trial.index, grain, Verdict::Executed, on.chip());
  return "";
}

/// Does the same for a grain on all chips; a failure of a back end counts as
/// wrong.
std::string SecondOpinion::executeGrain(const Trial &trial, const Grain &grain,
                                        const AlternativeOutcome &outcome, const Contents &wanted) {
  for (const RefusedGrain &refused : outcome.refused)
    if (refused.refusal.kind == RefusalKind::BackEndFailed)
      return refused.stage + ": " + refused.refusal.reason;
    else if (refused.refusal.kind != RefusalKind::NotOnTarget)
      say(trial.index, toString(grain), Verdict::Unable,
          refused.stage + ": " + refused.refusal.reason);
  for (const TargetOutput &output : outcome.outputs) {
    if (output.target == 0) // the CPU
      continue;
    const AmdgpuOriginals &on = originals.amdgpu()[output.target - 1];
    // A kernel whose original is refused has no code at all.
    if (on.refusalOf(symbolOf(trial.index)))
      continue;
    Interpretation result = on.runGrain(output, trial.task, trial.scaled, grain);
    std::string wrong = compareExecuted(trial, toString(grain), on, result, wanted);
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

} // namespace regrain::fuzz
