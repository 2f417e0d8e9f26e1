//===- Build.cpp - All modules of one file --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Build.h"

#include "compiler/Pipelines/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/WithColor.h"
#include <map>

using namespace regrain;

const DeviceWork &Build::deviceFor(const SelectedTarget &target) const {
  return *llvm::find_if(prepared.works,
                        [&](const DeviceWork &device) { return device.arch == target.deviceArch; });
}

namespace {

llvm::Error compileBase(Build &build, unsigned index) {
  const SelectedTarget &target = build.targets[index];
  const DeviceWork &device = build.deviceFor(target);
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(device.bitcode.data(), device.bitcode.size()),
                            "device"),
      context);
  if (!module)
    return module.takeError();
  auto compiled =
      target.target->compileBase(std::move(*module), device.kernelSymbols(), build.options.codegen);
  if (!compiled)
    return compiled.takeError();
  build.bases[index] = std::move(*compiled);
  return llvm::Error::success();
}

void planTasks(Build &build) {
  build.bases.resize(build.targets.size());
  if (!asksForAlternatives(build.options))
    return;
  for (const DeviceWork &device : build.prepared.works)
    for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels))
      for (unsigned grain = 1; grain < plan.grains.size(); ++grain)
        build.alternatives.push_back({&device, unsigned(kernel), grain, {}});
}

/// Runs all tasks on the machine's cores; gives the errors of all that failed.
llvm::Error runTasks(Build &build) {
  std::vector<llvm::Error> errors;
  for (size_t i = 0; i < build.bases.size() + build.alternatives.size(); ++i)
    errors.push_back(llvm::Error::success());
  {
    llvm::DefaultThreadPool pool;
    for (unsigned i = 0; i < build.bases.size(); ++i)
      pool.async([&build, &errors, i] { errors[i] = compileBase(build, i); });
    for (unsigned i = 0; i < build.alternatives.size(); ++i)
      pool.async([&build, &error = errors[build.bases.size() + i], i] {
        Build::AlternativeTask &task = build.alternatives[i];
        auto outcome =
            compileAlternative(*task.device, build.code().kernels[task.kernel],
                               build.prepared.plan.kernels[task.kernel].grains[task.grain],
                               build.targets, build.options.codegen);
        if (outcome)
          task.outcome = std::move(*outcome);
        error = outcome.takeError();
      });
    pool.wait();
  }
  llvm::Error all = llvm::Error::success();
  for (llvm::Error &error : errors)
    all = llvm::joinErrors(std::move(all), std::move(error));
  return all;
}

/// Collects refusals, the same one of several device compiles once, and takes
/// back a choice that no target could serve.
void collectRefusals(Build &build) {
  build.refused = build.prepared.plan.refused;
  llvm::DenseSet<std::pair<unsigned, unsigned>> served;
  std::map<std::pair<unsigned, unsigned>, std::vector<RefusedGrain>> refused;
  for (Build::AlternativeTask &task : build.alternatives) {
    std::pair grain(task.kernel, task.grain);
    bool asked = task.grain < build.prepared.plan.kernels[task.kernel].requested;
    for (RefusedGrain &entry : task.outcome.refused) {
      entry.asked = asked;
      if (std::vector<RefusedGrain> &known = refused[grain]; !llvm::is_contained(known, entry))
        known.push_back(std::move(entry));
    }
    if (!task.outcome.outputs.empty())
      served.insert(grain);
    if (task.outcome.wholeWarps)
      build.prepared.plan.kernels[task.kernel].wholeWarps.insert(task.grain);
  }
  for (auto &[grain, entries] : refused)
    llvm::move(entries, std::back_inserter(build.refused));
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels))
    if (!served.contains({unsigned(kernel), plan.chosen}))
      plan.chosen = 0;
}

} // namespace

llvm::Expected<std::unique_ptr<Build>> regrain::compileAll(llvm::ArrayRef<ArchedDevice> devices,
                                                           const ImageOptions &options) {
  auto build = std::make_unique<Build>(Build{options, {}, {}, {}, {}, {}, {}});
  std::vector<std::string> warnings;
  auto targets = selectTargets(options.targets, warnings);
  if (!targets)
    return targets.takeError();
  build->targets = std::move(*targets);
  auto prepared = prepareDevices(devices, options, build->variables);
  if (!prepared)
    return prepared.takeError();
  build->prepared = std::move(*prepared);
  planTasks(*build);
  if (llvm::Error error = runTasks(*build))
    return std::move(error);
  collectRefusals(*build);
  llvm::append_range(warnings, build->prepared.plan.warnings);
  for (const std::string &warning : warnings)
    llvm::WithColor::warning() << options.source << ": " << warning << "\n";
  printRemarks(*build);
  if (llvm::Error error = writeRemarkRecord(*build))
    return std::move(error);
  return build;
}
