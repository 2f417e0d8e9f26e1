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
#include "apps/Arguments/Arguments.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Target/Pipeline.h"
#include "fuzz/Emit.h"
#include "fuzz/Keep.h"
#include "fuzz/Summary.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace llvm;
using namespace regrain;
using namespace regrain::fuzz;

namespace {

struct Request {
  uint64_t seed = 1, kernelCount = 200;
  uint64_t pairCount = 0, findingCount = 0; ///< 0: no limit
  unsigned together = 20, silence = 30, reduceSeconds = 120;
  Shares shares;
  BatchOptions batch;
  std::string onlyGrain, jsonFile, keepFolder, emitFolder;
  bool printsKernel = false;
};

template <typename T>
void addNumber(CLI::App &app, const char *name, T &number, const char *value, const char *text) {
  app.add_option(name, number, text)
      ->type_name(value)
      ->check(arguments::wholeNumber(0))
      ->capture_default_str();
}

void addOptions(CLI::App &app, Request &request) {
  app.option_defaults()->group("Which kernels");
  addNumber(app, "--seed", request.seed, "S", "Seed of the first kernel; the next has S + 1");
  addNumber(app, "--count", request.kernelCount, "N", "Most kernels");
  addNumber(app, "--pairs", request.pairCount, "N",
            "End after that many agreeing pairs; 0: only --count counts");
  addNumber(app, "--findings", request.findingCount, "N",
            "End after that many findings; 0: only --count counts");
  addNumber(app, "--cooperate", request.shares.cooperating, "PERCENT",
            "Share of the kernels that are programs whose threads cooperate, checked by what must "
            "hold of them");
  addNumber(
      app, "--patterns", request.shares.patterns, "PERCENT",
      "Share of the other kernels that have a known form, of which some grains only are legal");
  app.add_flag("--print", request.printsKernel, "Print the kernel of --seed and end");
  app.option_defaults()->group("How each is tried");
  addNumber(app, "--grains", request.batch.grainsEach, "N", "Grains tried for each kernel");
  app.add_option("--grain", request.onlyGrain, "Try this grain alone")->type_name("SPEC");
  addNumber(app, "--interpret", request.batch.interpreted, "PERCENT",
            "Share of the kernels that are interpreted as well");
  addNumber(app, "--vectorise", request.batch.optimised, "PERCENT",
            "Share of the kernels that are compiled at -O3, with the loop vectoriser");
  app.add_option("--amdgpu", request.batch.amdgpu,
                 "Also interpret what is lowered for these AMD GPUs, and compare with the CPU")
      ->type_name("gfx90a,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--batch", request.together, "Kernels in one file")
      ->type_name("N")
      ->check(arguments::wholeNumber(1))
      ->capture_default_str();
  addNumber(app, "--silence", request.silence, "SECONDS",
            "Processor time after which a process is hung");
  app.option_defaults()->group("What is kept");
  app.add_option("--json", request.jsonFile, "Write the summary to FILE")->type_name("FILE");
  app.add_option("--keep", request.keepFolder, "Write reduced programs into DIR")->type_name("DIR");
  addNumber(app, "--reduce", request.reduceSeconds, "SECONDS", "Time for reducing one finding");
  app.add_option("--emit", request.emitFolder,
                 "Write the programs that have a legal grain into DIR, with programs.json, for "
                 "bench/gpu/fuzz_programs.py")
      ->type_name("DIR");
}

help::Command words() {
  help::Command command;
  command.name = "regrain-fuzz";
  command.summary = "Run random kernels at random grains and compare them with their originals";
  command.paragraphs = {"Runs random kernels on the CPU, each as original and at several grains, "
                        "and compares all buffers. Exits with 0 if nothing was found, 1 if "
                        "something was, 2 for wrong arguments."};
  command.examples = {
      {"regrain-fuzz --seed 1 --count 2", "Try the kernels of the seeds 1 and 2."},
      {"regrain-fuzz --seed 7 --print", "Show the kernel of seed 7, to see what was found."}};
  return command;
}

} // namespace

/// Writes --json, if given; returns false if it cannot be written, which has been
/// reported.
static bool writeJson(const Summary &summary, const std::string &file) {
  if (file.empty())
    return true;
  std::error_code failed;
  raw_fd_ostream stream(file, failed);
  if (failed)
    errs() << "regrain-fuzz: cannot write " << file << ": " << failed.message() << "\n";
  else
    stream << summary.json();
  return !failed;
}

namespace {

class Campaign {
public:
  Campaign(const Request &request, std::vector<Grain> grains)
      : request(request), grains(std::move(grains)) {
    summary.firstSeed = request.seed;
  }

  /// Returns nothing if a requested file cannot be written, which has been
  /// reported.
  std::optional<Summary> run() {
    auto began = std::chrono::steady_clock::now();
    // Each batch is recorded, because a long run may be ended at any time.
    bool written = true;
    for (uint64_t at = 0; at < request.kernelCount && !isEnough() && written;
         at += request.together) {
      written = runSeeds(request.seed + at,
                         std::min<uint64_t>(request.together, request.kernelCount - at));
      summary.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      written = written && writeJson(summary, request.jsonFile);
    }
    return written && writeJson(summary, request.jsonFile) ? std::optional(std::move(summary))
                                                           : std::nullopt;
  }

private:
  bool isEnough() const {
    return (request.pairCount && summary.pairs >= request.pairCount) ||
           (request.findingCount && summary.findings.size() >= request.findingCount);
  }

  /// Returns false if a requested file cannot be written.
  bool runSeeds(uint64_t first, uint64_t count) {
    std::vector<Subject> subjects;
    for (uint64_t i = 0; i < count; ++i)
      subjects.push_back({drawSpecimen(first + i, request.shares), grains});
    GuardedRun run = runGuarded(subjects, request.batch, request.silence);
    if (!run.death.empty() || failsAsAWhole(run)) {
      // The test of each kernel alone shows which one caused it.
      bool written = true;
      for (const Subject &subject : subjects)
        written = take({subject}, runGuarded({subject}, request.batch, request.silence)) && written;
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
    return request.emitFolder.empty() || emitter.add(subjects, run);
  }

  void find(const Specimen &kernel, const Outcome &outcome, const std::string &detail) {
    Finding finding = {seedOf(kernel), outcome.grain, outcome.verdict, detail, ""};
    errs() << "found: seed " << finding.seed << " at " << finding.grain << ": " << finding.kind()
           << ": " << detail << "\n";
    if (!request.keepFolder.empty())
      finding.file =
          keep(kernel, outcome, request.batch, {request.keepFolder, request.reduceSeconds});
    summary.findings.push_back(std::move(finding));
  }

  const Request &request;
  std::vector<Grain> grains;
  Summary summary;
  Emitter emitter{request.emitFolder};
};

} // namespace

int main(int argc, char **argv) {
  CLI::App app;
  Request request;
  request.batch.headers = REGRAIN_HEADERS;
  addOptions(app, request);
  if (std::optional<int> answered = arguments::parse(app, words(), argc, argv))
    return *answered ? 2 : 0;
  if (request.printsKernel) {
    outs() << printProgram(drawSpecimen(request.seed, request.shares), "kernel");
    return 0;
  }
  std::vector<Grain> grains;
  if (!request.onlyGrain.empty()) {
    OrError<GrainSpec> spec = parseGrainSpec(request.onlyGrain);
    if (!spec) {
      errs() << "regrain-fuzz: --grain: " << spec.error() << "\n";
      return 2;
    }
    grains = {spec->grain};
  }
  initializeFrontend();
  verifyPasses();
  std::optional<Summary> summary = Campaign(request, std::move(grains)).run();
  if (!summary)
    return 2;
  outs() << summary->text();
  return summary->findings.empty() ? 0 : 1;
}
