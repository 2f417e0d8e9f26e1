//===- Judge.cpp - Which compiled grains stay -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/Judge.h"

#include "compiler/Alternatives/Prune.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace regrain;

namespace {

/// Returns the tasks of one kernel in the order of its grains; those of several device compiles are
/// in the order of the compiles.
std::vector<Build::AlternativeTask *> tasksOf(Build &build, unsigned kernel) {
  std::vector<Build::AlternativeTask *> tasks;
  for (Build::AlternativeTask &task : build.alternatives)
    if (task.kernel == kernel)
      tasks.push_back(&task);
  // The pointers point into one vector, so they compare in the order in which the tasks were made.
  llvm::sort(tasks,
             [](auto *a, auto *b) { return std::pair(a->grain, a) < std::pair(b->grain, b); });
  return tasks;
}

/// Judges the grains of one kernel on one target.
class Judge {
public:
  Judge(Build &build, unsigned kernel, unsigned target)
      : build(build), plan(build.prepared.plan.kernels[kernel]), target(target) {
    if (const KernelCode *code = build.originalOf(kernel, target))
      original = code->resources;
    remember(0, build.bases[target]->code, build.code().kernels[kernel].symbol);
  }

  void judge(Build::AlternativeTask &task) {
    auto output = llvm::find_if(task.outcome.outputs, [&](const TargetOutput &candidate) {
      return candidate.target == target;
    });
    if (output == task.outcome.outputs.end())
      return;
    const KernelCode &made = output->module.kernels.front();
    CandidateVerdict &verdict = codeOf(task).verdict;
    // The vendor's code may spill as it does, but not for a bound that nobody asked for.
    const Grain &grain = plan.grains[task.grain];
    if (!plan.isBesideSpace(task.grain) || grain.codegen.contains("registers"))
      if (auto excess = findExcess(grain, made.resources, original))
        verdict.objection = {"resources", std::move(*excess)};
    if (!verdict.objection)
      if (auto duplicate = remember(task.grain, codeWith(*output), made.symbol))
        verdict.objection = {"duplicate", std::move(*duplicate)};
    if (verdict.objection && task.grain >= plan.requested && !build.options.allAlternatives) {
      verdict.outcome = CandidateOutcome::Pruned;
      task.outcome.outputs.erase(output);
    }
  }

  /// Drops a control if no other grain is left to be compared with it.
  void dropLoneControl(llvm::ArrayRef<Build::AlternativeTask *> tasks) {
    auto isHere = [&](const TargetOutput &output) { return output.target == target; };
    for (Build::AlternativeTask *task : tasks)
      if (!plan.isControl(task->grain) && llvm::any_of(task->outcome.outputs, isHere))
        return;
    for (Build::AlternativeTask *task : tasks)
      if (llvm::any_of(task->outcome.outputs, isHere)) {
        llvm::erase_if(task->outcome.outputs, isHere);
        codeOf(*task).verdict = {
            CandidateOutcome::Pruned,
            Objection{"control", "there is no other alternative to compare it with"}};
      }
  }

private:
  llvm::ArrayRef<char> codeWith(const TargetOutput &output) const {
    return output.isInBase ? build.bases[target]->code : output.module.code;
  }

  CandidateCode &codeOf(Build::AlternativeTask &task) const {
    return *llvm::find_if(task.outcome.codes, [&](const CandidateCode &candidate) {
      return candidate.target == target;
    });
  }

  /// Returns what `grain` is a duplicate of, as one clause. If it is none, returns nothing, and
  /// later grains are compared with it.
  std::optional<std::string> remember(unsigned grain, llvm::ArrayRef<char> code,
                                      llvm::StringRef symbol) {
    std::optional<uint64_t> hash = hashCode(*build.targets[target].target, code, symbol);
    if (!hash)
      return std::nullopt;
    for (unsigned earlier : byHash[*hash])
      if (launchesAlike(plan.grains[earlier], plan.grains[grain]))
        return "the same code as " + toString(plan.grains[earlier]);
    byHash[*hash].push_back(grain);
    return std::nullopt;
  }

  const Build &build;
  KernelPlan &plan;
  unsigned target;
  Resources original;
  std::map<uint64_t, std::vector<unsigned>> byHash;
};

/// Summarises what became of one grain: it is kept if a target kept it; otherwise the first
/// objection of a device compile or target counts.
Candidate summarise(const KernelPlan &plan, llvm::ArrayRef<Build::AlternativeTask *> tasks) {
  Candidate candidate;
  candidate.kernel = tasks.front()->kernel;
  candidate.id = toString(plan.grains[tasks.front()->grain]);
  candidate.requested = tasks.front()->grain < plan.requested;
  bool kept = false;
  for (const Build::AlternativeTask *task : tasks) {
    candidate.seconds += task->outcome.seconds;
    llvm::append_range(candidate.code, task->outcome.codes);
    kept |= task->outcome.isThere();
  }
  if (kept)
    return candidate;
  const AlternativeOutcome &first = tasks.front()->outcome;
  if (!candidate.code.empty())
    candidate.verdict = candidate.code.front().verdict;
  else
    candidate.verdict = {first.timedOut ? CandidateOutcome::TimedOut : CandidateOutcome::Refused,
                         objectionOf(first.refused.front())};
  return candidate;
}

} // namespace

void regrain::judge(Build &build) {
  for (unsigned kernel = 0; kernel < build.prepared.plan.kernels.size(); ++kernel) {
    std::vector<Build::AlternativeTask *> tasks = tasksOf(build, kernel);
    if (tasks.empty())
      continue;
    for (unsigned target = 0; target < build.targets.size(); ++target) {
      Judge judge(build, kernel, target);
      for (Build::AlternativeTask *task : tasks)
        judge.judge(*task);
      judge.dropLoneControl(tasks);
    }
    llvm::ArrayRef<Build::AlternativeTask *> rest = tasks;
    while (!rest.empty()) {
      auto same = rest.take_while([&](auto *task) { return task->grain == rest.front()->grain; });
      build.candidates.push_back(summarise(build.prepared.plan.kernels[kernel], same));
      rest = rest.drop_front(same.size());
    }
  }
}

void regrain::dropUnused(Build &build) {
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels)) {
    std::vector<Build::AlternativeTask *> tasks = tasksOf(build, kernel);
    std::vector<bool> keep(plan.grains.size());
    for (unsigned index = 0; index < plan.requested; ++index)
      keep[index] =
          plan.grains[index].variant.empty() || findVariant(plan.variants, plan.grains[index]);
    for (const Build::AlternativeTask *task : tasks)
      if (task->outcome.isThere())
        keep[task->grain] = true;
    std::vector<unsigned> moved = plan.compact(keep);
    for (Build::AlternativeTask *task : tasks)
      task->grain = moved[task->grain];
  }
}
