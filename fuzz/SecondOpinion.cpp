//===- SecondOpinion.cpp - A batch's kernels interpreted too --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/SecondOpinion.h"

#include "compiler/Import/Export.h"
#include "fuzz/Oracle.h"
#include "fuzz/Random.h"

using namespace llvm;

namespace regrain::fuzz {

void SecondOpinion::interpretOriginal(const Trial &trial) {
  const Kernel &kernel = trial.kernel;
  interpreted.reset();
  if (!Random(kernel.seed ^ 0x6f7261636c65).percent(options.interpreted))
    return;
  Interpretation result =
      interpret({&originals.module(), symbolOf(trial.index), &originals.module()}, kernel,
                trial.scaled, Grain(), kernel.seed);
  if (result.kind == Interpretation::Done)
    interpreted = std::move(result.contents);
  else
    say(trial.index, "original",
        result.kind == Interpretation::Faulty ? Verdict::Faults : Verdict::Unable, result.reason);
}

void SecondOpinion::executeOriginal(const Trial &trial, const Contents &wanted) {
  for (const AmdgpuOriginals &on : originals.amdgpu()) {
    Interpretation result = on.runOriginal(symbolOf(trial.index), trial.kernel, trial.scaled);
    std::string wrong = compareExecuted(trial, "original", on, result, wanted);
    if (!wrong.empty())
      say(trial.index, "original", Verdict::Faults, wrong);
  }
}

std::string SecondOpinion::judge(const Trial &trial, const Grain &grain,
                                 const AlternativeOutcome &outcome, const Contents &wanted) {
  std::string wrong = interpreted ? interpretGrain(trial, grain) : "";
  return wrong.empty() ? executeGrain(trial, grain, outcome, wanted) : wrong;
}

Expected<std::unique_ptr<llvm::Module>> SecondOpinion::exportWith(decltype(regrainKernel) regrain,
                                                                  uint32_t index,
                                                                  const Grain &grain,
                                                                  const std::string &symbol) {
  const ImportedModule &imported = originals.imported();
  std::vector<RefusedGrain> refused;
  auto regrained = regrain(imported, originals.deviceKernel(index), grain, refused);
  if (!regrained)
    return createStringError("refused when it is done again");
  return exportKernel(regrained->lookupSymbol<grain::KernelOp>(symbolOf(index)), imported, symbol,
                      originals.context());
}

std::string SecondOpinion::interpretGrain(const Trial &trial, const Grain &grain) {
  std::string symbol = symbolOf(trial.index) + "_interpreted";
  auto whole = exportWith(regrainKernel, trial.index, grain, symbol);
  if (!whole)
    return toString(whole.takeError());
  std::unique_ptr<llvm::Module> rest;
  if (trial.scaled.remainder) {
    auto remainder = exportWith(regrainRemainder, trial.index, grain, symbol);
    if (!remainder)
      return toString(remainder.takeError());
    rest = std::move(*remainder);
  }
  Interpretation result = interpret({whole->get(), symbol, &originals.module(), rest.get(), symbol},
                                    trial.kernel, trial.scaled, grain, trial.kernel.seed + 1);
  if (result.kind == Interpretation::Faulty)
    return "interpreted: " + result.reason;
  if (result.kind == Interpretation::Unable) {
    say(trial.index, toString(grain), Verdict::Unable, result.reason);
    return "";
  }
  std::string difference = firstDifference(trial.kernel, result.contents, *interpreted);
  if (!difference.empty())
    return "interpreted: " + difference;
  say(trial.index, toString(grain), Verdict::Confirmed, "");
  return "";
}

/// What is wrong with a run as an AMD GPU's code; empty where nothing is.
std::string SecondOpinion::compareExecuted(const Trial &trial, const std::string &grain,
                                           const AmdgpuOriginals &on, const Interpretation &result,
                                           const Contents &wanted) {
  if (result.kind == Interpretation::Faulty)
    return on.chip() + ": " + result.reason;
  if (result.kind == Interpretation::Unable) {
    say(trial.index, grain, Verdict::Unable, on.chip() + ": " + result.reason);
    return "";
  }
  std::string difference = firstDifference(trial.kernel, result.contents, wanted);
  if (!difference.empty())
    return on.chip() + ": " + difference;
  say(trial.index, grain, Verdict::Executed, on.chip());
  return "";
}

/// The same of a grain on all chips; what a back end fails on counts.
std::string SecondOpinion::executeGrain(const Trial &trial, const Grain &grain,
                                        const AlternativeOutcome &outcome, const Contents &wanted) {
  for (const RefusedGrain &refused : outcome.refused)
    if (refused.kind == RefusalKind::BackEndFailed)
      return refused.stage + ": " + refused.reason;
    else
      say(trial.index, toString(grain), Verdict::Unable, refused.stage + ": " + refused.reason);
  for (const TargetOutput &output : ArrayRef(outcome.outputs).drop_front()) {
    const AmdgpuOriginals &on = originals.amdgpu()[output.target - 1];
    Interpretation result = on.runGrain(output, trial.kernel, trial.scaled, grain);
    std::string wrong = compareExecuted(trial, toString(grain), on, result, wanted);
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

} // namespace regrain::fuzz
