//===- BuildImage.cpp - Device code to an image ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/BuildImage.h"

#include "compiler/Identity/GenerationDigest.h"
#include "compiler/Pipelines/CompileAll.h"
#include "compiler/Selection/ApplyChoices.h"
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/FileDigest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace regrain;

namespace {

/// Returns the entries of a base module without kernels for which the target has no code. These are
/// reported, and counted in `missing` if the target was named.
std::vector<PackedEntry> baseEntries(const Build &build, unsigned target, unsigned &missing) {
  std::string name = build.targets[target].target->name();
  const DeviceWork &device = build.deviceFor(build.targets[target]);
  bool named = !build.options.keepGoing && !llvm::is_contained(build.options.impliedTargets, name);
  std::vector<PackedEntry> entries;
  for (const KernelCode &kernel : build.bases[target]->kernels) {
    auto known = llvm::find_if(build.code().kernels, [&](const DeviceKernel &candidate) {
      return candidate.symbol == kernel.symbol;
    });
    if (known == build.code().kernels.end())
      continue;
    if (!kernel.refusal) {
      entries.push_back({unsigned(known - build.code().kernels.begin()), 0, kernel.symbol,
                         kernel.resources,
                         /*remainder=*/false, kernel.singleDimensions,
                         device.kernelNamed(kernel.symbol).maxThreads});
      continue;
    }
    missing += named;
    llvm::errs() << known->file << ":" << known->line << ":1: "; // as clang's, which editors find
    (named ? llvm::WithColor::error() : llvm::WithColor::warning())
        << name << ": no code for kernel '" << known->name << "': " << kernel.refusal->reason
        << "\n";
  }
  return entries;
}

/// Appends the alternatives of one target: to the base for the CPU, whose objects are linked into
/// one, and for code that is in the base already; as modules of their own for GPUs.
void packAlternatives(Build &build, unsigned target, PackedModule &base,
                      std::vector<std::vector<char>> &objects, std::vector<PackedModule> &modules) {
  for (Build::AlternativeTask &task : build.alternatives)
    for (TargetOutput &output : task.outcome.outputs) {
      if (output.target != target || output.isShared)
        continue;
      const KernelPlan &plan = build.prepared.plan.kernels[task.kernel];
      const OfferedVariant *offered = findVariant(plan.variants, plan.grains[task.grain]);
      const std::string &symbol =
          offered ? offered->variant : build.code().kernels[task.kernel].symbol;
      unsigned bound = task.device->kernelNamed(symbol).maxThreads;
      std::vector<PackedEntry> entries;
      for (const KernelCode &code : output.module.kernels)
        entries.push_back({task.kernel, task.grain, code.symbol, code.resources,
                           /*remainder=*/!entries.empty(), code.singleDimensions, bound});
      if (output.isInBase) {
        llvm::append_range(base.entries, entries);
      } else if (build.targets[target].linksObjects) {
        objects.push_back(std::move(output.module.code));
        llvm::append_range(base.entries, entries);
      } else {
        modules.push_back({base.kind, base.arch, false, std::move(output.module.code),
                           std::move(entries), std::move(output.slots), base.generation});
      }
    }
}

/// Returns what determines the target's code besides the IR: also the vendor's compiler, if it can
/// have made some.
llvm::Expected<std::vector<CodeInput>> inputsOf(const Build &build, const SelectedTarget &target) {
  auto inputs = target.target->inputs(build.options.codegen);
  const std::string &nvcc = build.options.vendor.nvcc;
  if (!inputs || nvcc.empty() || !target.target->takesCompanions() ||
      !asksForAlternatives(build.options, build.code()))
    return inputs;
  auto digest = digestOfFile(nvcc);
  if (!digest)
    return digest.takeError();
  inputs->push_back({"vendor's compiler", *digest});
  return inputs;
}

llvm::Error packTarget(Build &build, unsigned index, std::vector<PackedModule> &modules,
                       unsigned &missing) {
  const SelectedTarget &target = build.targets[index];
  for (const std::string &warning : build.bases[index]->warnings)
    llvm::WithColor::warning() << build.options.source << ": " << warning << "\n";
  auto inputs = inputsOf(build, target);
  if (!inputs)
    return inputs.takeError();
  PackedModule base{target.kind,
                    target.arch,
                    true,
                    std::move(build.bases[index]->code),
                    baseEntries(build, index, missing),
                    std::move(build.bases[index]->managedSlots),
                    digestOf(std::move(*inputs))};
  std::vector<std::vector<char>> objects;
  std::vector<PackedModule> others;
  packAlternatives(build, index, base, objects, others);
  if (target.linksObjects) {
    objects.insert(objects.begin(), std::move(base.code));
    auto linked = linkShared(objects);
    if (!linked)
      return linked.takeError();
    base.code = std::move(*linked);
  }
  modules.push_back(std::move(base));
  llvm::move(others, std::back_inserter(modules));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<PackedModule>> regrain::packModules(Build &build) {
  std::vector<PackedModule> modules;
  unsigned missing = 0;
  for (unsigned index = 0; index < build.targets.size(); ++index)
    if (llvm::Error error = packTarget(build, index, modules, missing))
      return std::move(error);
  if (missing)
    return llvm::createStringError(llvm::Twine(missing) +
                                   (missing == 1 ? " kernel has" : " kernels have") +
                                   " no code for a target that was named; "
                                   "--keep-going builds the others");
  return modules;
}

llvm::Expected<std::vector<char>> regrain::buildImage(llvm::ArrayRef<ArchedDevice> devices,
                                                      const ImageOptions &options,
                                                      CompileObserver *observer) {
  auto build = compileAll(devices, options, observer);
  if (!build)
    return build.takeError();
  auto modules = packModules(**build);
  if (!modules)
    return modules.takeError();
  std::vector<std::string> generations;
  for (const PackedModule &module : *modules)
    generations.push_back(module.generation);
  for (const std::string &warning :
       describeOtherGeneration(options, (*build)->code(), (*build)->prepared.plan, generations))
    llvm::WithColor::warning() << options.source << ": " << warning << "\n";
  std::vector<std::string> targets;
  for (const SelectedTarget &target : (*build)->targets)
    targets.push_back(target.target->name());
  return packImage(
      {llvm::sys::path::filename(options.source).str(), &(*build)->code(), (*build)->prepared.facts,
       &(*build)->prepared.plan, (*build)->prepared.works.front().variables, std::move(*modules),
       (*build)->refused, (*build)->candidates, std::move(targets), options.recordTimes});
}
