//===- Keep.cpp - Findings stored as programs -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Keep.h"

#include "fuzz/Guard.h"
#include "fuzz/Reducer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;

namespace regrain::fuzz {

namespace {

constexpr unsigned silenceSeconds = 20;

/// Returns whether kernel `index` of a run ended with the given failure.
bool failsLike(Verdict how, const GuardedRun &run, uint32_t index) {
  if (how == Verdict::Begun)
    return !run.death.empty();
  Verdict last = Verdict::Same;
  for (const Outcome &outcome : run.outcomes)
    if (outcome.kernel == index)
      last = outcome.verdict;
  return last == how;
}

Specimen reduceAt(const Specimen &kernel, const Grain &grain, Verdict how, BatchOptions options,
                  unsigned seconds) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
  options.interpreted = how == Verdict::Faults ? 100 : 0;
  // A process that dies or cannot compile reports nothing about its other
  // kernels.
  size_t together = isFinding(how) && how != Verdict::Failed ? 16 : 1;
  return reduce(kernel, together, [&](ArrayRef<Specimen> forms) -> std::optional<size_t> {
    if (Clock::now() >= end)
      return std::nullopt;
    std::vector<Subject> subjects;
    for (const Specimen &form : forms)
      subjects.push_back({form, {grain}});
    GuardedRun run = runGuarded(subjects, options, silenceSeconds);
    for (uint32_t i = 0; i < subjects.size(); ++i)
      if (failsLike(how, run, i))
        return i;
    return std::nullopt;
  });
}

/// A program that checks itself reports the result by its exit status.
std::string runLinesOfChecked(const std::string &grain) {
  std::string coarsen = grain == "original" ? "" : " --coarsen='*:" + grain + "'";
  return "// RUN: %regrain cc --targets=cpu" + coarsen +
         " -o %t %s\n"
         "// RUN: timeout 60 %t\n";
}

std::string runLinesOf(const std::string &grain) {
  return "// RUN: %regrain cc --targets=cpu --coarsen='*:" + grain +
         "' -o %t %s\n"
         "// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original\n"
         "// RUN: timeout 60 %t > %t.grain\n"
         "// RUN: diff %t.original %t.grain\n";
}

std::string runLinesOfOriginal() {
  return "// RUN: %regrain cc --targets=cpu -G -o %t.plain %s\n"
         "// RUN: %regrain cc --targets=cpu -o %t %s\n"
         "// RUN: timeout 60 %t.plain > %t.expected\n"
         "// RUN: timeout 60 %t > %t.optimised\n"
         "// RUN: diff %t.expected %t.optimised\n";
}

} // namespace

std::string keep(const Specimen &kernel, const Outcome &outcome, const BatchOptions &options,
                 const KeepOptions &keepOptions) {
  OrError<GrainSpec> spec = parseGrainSpec(outcome.grain);
  Specimen smallest = kernel;
  // When it is optimised, an original's result differs from that at -O0; one that
  // does not compile may fail the others of its batch, too.
  bool isOriginal = spec && spec->grain.isOriginal();
  if (spec && (!isOriginal || outcome.verdict != Verdict::Failed))
    smallest = reduceAt(kernel, spec->grain, outcome.verdict, options, keepOptions.reduceSeconds);
  std::string path = keepOptions.folder + "/seed" + std::to_string(seedOf(kernel)) + "_" +
                     (spec ? toSymbolSuffix(spec->grain) : "unknown") + ".cu";
  std::error_code failed = sys::fs::create_directories(keepOptions.folder);
  raw_fd_ostream stream(path, failed);
  if (failed) {
    errs() << "regrain-fuzz: cannot write " << path << ": " << failed.message() << "\n";
    return "";
  }
  bool checksItself = std::holds_alternative<cooperation::Program>(kernel);
  stream << (checksItself ? runLinesOfChecked(outcome.grain)
             : isOriginal ? runLinesOfOriginal()
                          : runLinesOf(outcome.grain))
         << printProgram(smallest, "kernel");
  return path;
}

} // namespace regrain::fuzz
