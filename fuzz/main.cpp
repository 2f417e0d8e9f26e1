//===- main.cpp - regrain-fuzz --------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzzer runs random kernels on the CPU, each as original and at several
// grains, and compares all buffers. Seed s + i makes kernel i, at any place in
// a run. Exit status: 0 if nothing was found, 1 if something was, 2 for invalid
// arguments.
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/Frontend.h"
#include "fuzz/Emit.h"
#include "fuzz/Keep.h"
#include "fuzz/Summary.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;
using namespace regrain;
using namespace regrain::fuzz;

static cl::OptionCategory category("regrain-fuzz");
static cl::opt<uint64_t> seed("seed", cl::desc("of the first kernel"), cl::init(1),
                              cl::cat(category));
static cl::opt<uint64_t> kernelCount("count", cl::desc("kernels at most"), cl::init(200),
                                     cl::cat(category));
static cl::opt<uint64_t> pairCount("pairs",
                                   cl::desc("end after so many agreeing pairs; 0: only --count"),
                                   cl::init(0), cl::cat(category));
static cl::opt<uint64_t> findingCount("findings",
                                      cl::desc("end after so many findings; 0: only --count"),
                                      cl::init(0), cl::cat(category));
static cl::opt<unsigned> grainsEach("grains", cl::desc("tried for each kernel"), cl::init(6),
                                    cl::cat(category));
static cl::opt<std::string> onlyGrain("grain", cl::desc("try this SPEC alone"), cl::cat(category));
static cl::opt<unsigned> together("batch", cl::desc("kernels to a file"), cl::init(20),
                                  cl::cat(category));
static cl::opt<unsigned> interpretedShare("interpret",
                                          cl::desc("percent of the kernels to interpret as well"),
                                          cl::init(10), cl::cat(category));
static cl::opt<unsigned>
    optimisedShare("vectorise",
                   cl::desc("percent of the kernels to compile at -O3, with the loop vectoriser"),
                   cl::init(20), cl::cat(category));
static cl::opt<unsigned> cooperating("cooperate",
                                     cl::desc("percent of the kernels to be programs whose threads "
                                              "cooperate, checked by what must hold of them"),
                                     cl::init(40), cl::cat(category));
static cl::list<std::string>
    amdgpuChips("amdgpu", cl::CommaSeparated, cl::value_desc("gfx90a,..."),
                cl::desc("also interpret what is lowered for these AMD GPUs, compare with the CPU"),
                cl::cat(category));
static cl::opt<std::string> jsonFile("json", cl::desc("write the summary there"),
                                     cl::cat(category));
static cl::opt<std::string> keepFolder("keep", cl::desc("write reduced programs into this folder"),
                                       cl::cat(category));
static cl::opt<std::string>
    emitFolder("emit",
               cl::desc("write the programs that have a legal grain into this folder, with "
                        "programs.json, for bench/gpu/fuzz_programs.py"),
               cl::cat(category));
static cl::opt<bool> printKernel("print", cl::desc("print the kernel of --seed and end"),
                                 cl::cat(category));
static cl::opt<unsigned>
    silence("silence", cl::desc("seconds of processor time after which a process is hung"),
            cl::init(30), cl::cat(category));
static cl::opt<unsigned> reduceSeconds("reduce", cl::desc("seconds for reducing one finding"),
                                       cl::init(120), cl::cat(category));

/// Writes --json, if given; returns false if it cannot be written, which has been
/// reported.
static bool writeJson(const Summary &summary) {
  if (jsonFile.empty())
    return true;
  std::error_code failed;
  raw_fd_ostream stream(jsonFile, failed);
  if (failed)
    errs() << "regrain-fuzz: cannot write " << jsonFile << ": " << failed.message() << "\n";
  else
    stream << summary.json();
  return !failed;
}

namespace {

class Campaign {
public:
  explicit Campaign(std::vector<Grain> grains) : grains(std::move(grains)) {
    options.headers = REGRAIN_HEADERS;
    options.grainsEach = grainsEach;
    options.interpreted = interpretedShare;
    options.optimised = optimisedShare;
    options.amdgpu = {amdgpuChips.begin(), amdgpuChips.end()};
    summary.firstSeed = seed;
  }

  /// Returns nothing if a requested file cannot be written, which has been
  /// reported.
  std::optional<Summary> run() {
    auto began = std::chrono::steady_clock::now();
    // Each batch is recorded, because a long run may be ended at any time.
    bool written = true;
    for (uint64_t at = 0; at < kernelCount && !isEnough() && written; at += together) {
      written = runSeeds(seed + at, std::min<uint64_t>(together, kernelCount - at));
      summary.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      written = written && writeJson(summary);
    }
    return written && writeJson(summary) ? std::optional(std::move(summary)) : std::nullopt;
  }

private:
  bool isEnough() const {
    return (pairCount && summary.pairs >= pairCount) ||
           (findingCount && summary.findings.size() >= findingCount);
  }

  /// Returns false if a requested file cannot be written.
  bool runSeeds(uint64_t first, uint64_t count) {
    std::vector<Subject> subjects;
    for (uint64_t i = 0; i < count; ++i)
      subjects.push_back({drawSpecimen(first + i, cooperating), grains});
    GuardedRun run = runGuarded(subjects, options, silence);
    if (!run.death.empty() || failsAsAWhole(run)) {
      // The test of each kernel alone shows which one caused it.
      bool written = true;
      for (const Subject &subject : subjects)
        written = take({subject}, runGuarded({subject}, options, silence)) && written;
      return written;
    }
    return take(subjects, run);
  }

  static bool failsAsAWhole(const GuardedRun &run) {
    return !run.outcomes.empty() && run.outcomes.back().verdict == Verdict::Failed &&
           run.outcomes.back().grain == "original";
  }

  bool take(const std::vector<Subject> &subjects, const GuardedRun &run) {
    for (const Subject &subject : subjects)
      summary.count(subject.kernel);
    for (const Outcome &outcome : run.outcomes) {
      summary.count(outcome);
      if (isFinding(outcome.verdict))
        find(subjects[outcome.kernel].kernel, outcome, outcome.detail);
    }
    if (!run.death.empty()) {
      Outcome last;
      if (!run.outcomes.empty())
        last = run.outcomes.back();
      last.verdict = Verdict::Begun;
      find(subjects[last.kernel].kernel, last, run.death + " " + last.detail);
    }
    return emitFolder.empty() || emitter.add(subjects, run);
  }

  void find(const Specimen &kernel, const Outcome &outcome, const std::string &detail) {
    Finding finding = {seedOf(kernel), outcome.grain, outcome.verdict, detail, ""};
    errs() << "found: seed " << finding.seed << " at " << finding.grain << ": " << finding.kind()
           << ": " << detail << "\n";
    if (!keepFolder.empty())
      finding.file = keep(kernel, outcome, options, {keepFolder, reduceSeconds});
    summary.findings.push_back(std::move(finding));
  }

  std::vector<Grain> grains;
  BatchOptions options;
  Summary summary;
  Emitter emitter{emitFolder};
};

} // namespace

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "random kernels at random grains\n");
  if (printKernel) {
    outs() << printProgram(drawSpecimen(seed, cooperating), "kernel");
    return 0;
  }
  std::vector<Grain> grains;
  if (!onlyGrain.empty()) {
    OrError<GrainSpec> spec = parseGrainSpec(onlyGrain);
    if (!spec || together == 0) {
      errs() << "regrain-fuzz: --grain: " << (spec ? "" : spec.error()) << "\n";
      return 2;
    }
    grains = {spec->grain};
  }
  initializeFrontend();
  std::optional<Summary> summary = Campaign(std::move(grains)).run();
  if (!summary)
    return 2;
  outs() << summary->text();
  return summary->findings.empty() ? 0 : 1;
}
