//===- ShareCode.cpp - Grains that have the code of others ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/ShareCode.h"

#include "runtime/image/grain_keys.h"
#include "runtime/image/max_resident.h"
#include "llvm/ADT/STLExtras.h"

using namespace regrain;

namespace {

/// Works out what becomes of one grain in one device compile.
class Sharer {
public:
  Sharer(const Build &build, Build::AlternativeTask &task)
      : build(build), task(task), kernel(build.code().kernels[task.kernel]),
        plan(build.prepared.plan.kernels[task.kernel]), grain(plan.grains[task.grain]),
        base(llvm::find(plan.grains, withAnyResidents(grain)) - plan.grains.begin()) {}

  void run() {
    for (auto [index, target] : llvm::enumerate(build.targets))
      if (target.deviceArch == task.device->arch)
        share(index, target);
    if (task.outcome.codes.empty())
      refuse("targets", {RefusalKind::NotOnTarget, "no target is named that can have the code"});
  }

private:
  void share(unsigned index, const SelectedTarget &target) {
    CandidateCode code;
    code.target = index;
    std::string name = target.target->name();
    std::string refused = whyRefusedBy(target.keyTargets, grain);
    if (!refused.empty())
      code.verdict = refuse("limits", {RefusalKind::NotOnTarget, std::move(refused)});
    else if (build.prepared.facts[task.kernel].readsSharedSize)
      code.verdict = refuse(name, {RefusalKind::ReadsSharedSize,
                                   "the kernel reads how much shared memory its launch has"});
    else if (std::optional<CompiledModule> shared = codeOn(index))
      task.outcome.outputs.push_back(
          {index, std::move(*shared), {}, /*isInBase=*/true, /*isShared=*/true});
    else
      code.verdict = refuse(name, whyNoCode());
    task.outcome.codes.push_back(std::move(code));
  }

  /// Returns the kernels that the code of the base has on a target, without the code.
  std::optional<CompiledModule> codeOn(unsigned target) const {
    CompiledModule module;
    if (base == 0) {
      const KernelCode *original = build.originalOf(task.kernel, target);
      if (!original || original->refusal)
        return std::nullopt;
      module.kernels.push_back(*original);
      return module;
    }
    for (const Build::AlternativeTask &other : build.alternatives)
      if (other.kernel == task.kernel && other.grain == base)
        for (const TargetOutput &output : other.outcome.outputs)
          if (output.target == target) {
            module.kernels = output.module.kernels;
            return module;
          }
    return std::nullopt;
  }

  Refusal whyNoCode() const {
    for (const Build::AlternativeTask &other : build.alternatives)
      if (other.kernel == task.kernel && other.grain == base && !other.outcome.refused.empty())
        return other.outcome.refused.front().refusal;
    return {RefusalKind::NotOnTarget, "there is no code of " + toString(plan.grains[base])};
  }

  CandidateVerdict refuse(std::string stage, Refusal refusal) {
    task.outcome.refused.push_back(
        refuseGrain(kernel, toString(grain), std::move(stage), std::move(refusal)));
    return {CandidateOutcome::Refused, objectionOf(task.outcome.refused.back())};
  }

  const Build &build;
  Build::AlternativeTask &task;
  const DeviceKernel &kernel;
  const KernelPlan &plan;
  const Grain &grain;
  unsigned base; ///< index of the grain whose code it is
};

} // namespace

void regrain::shareCode(Build &build) {
  std::vector<Build::AlternativeTask> added;
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels))
    for (auto [index, grain] : llvm::enumerate(plan.grains))
      if (maxResidentOf(grain))
        for (const DeviceWork &device : build.prepared.works) {
          added.push_back({&device, unsigned(kernel), unsigned(index), {}});
          Sharer(build, added.back()).run();
        }
  llvm::move(added, std::back_inserter(build.alternatives));
}
