//===- ApplyChoices.cpp - What --choose says of a kernel ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/ApplyChoices.h"

#include "llvm/ADT/STLExtras.h"

using namespace regrain;

bool regrain::hasChoices(const ImageOptions &options, const DeviceKernel &kernel) {
  return llvm::any_of(options.choices.kernels,
                      [&](const KernelChoices &choices) { return choices.name == kernel.name; });
}

const KernelChoices *regrain::choicesFor(const ImageOptions &options, const DeviceKernel &kernel,
                                         llvm::StringRef hash, std::vector<std::string> &warnings) {
  for (const KernelChoices &choices : options.choices.kernels)
    if (choices.name == kernel.name && choices.hash == hash)
      return &choices;
  if (hasChoices(options, kernel))
    warnings.push_back(options.choicesFile + " was measured on another version of kernel '" +
                       kernel.name + "'; its choices are not used: run regrain tune again");
  return nullptr;
}

/// Adds a grain by its id; the ids of a file of choices are checked when it is read.
static unsigned addById(KernelPlan &plan, const std::string &id) {
  OrError<GrainSpec> spec = parseGrainSpec(id);
  return spec ? plan.add(spec->grain) : 0;
}

void regrain::applyForeignChoices(const KernelChoices &choices, KernelPlan &plan) {
  KernelChoices foreign = choices;
  auto isOther = [](const std::string &id) {
    OrError<GrainSpec> spec = parseGrainSpec(id);
    return !spec || (!spec->grain.isOriginal() && !isForeign(spec->grain));
  };
  llvm::erase_if(foreign.alternatives, isOther);
  llvm::erase_if(foreign.classes,
                 [&](const ClassChoice &choice) { return isOther(choice.alternative); });
  applyChoices(foreign, plan);
}

void regrain::applyChoices(const KernelChoices &choices, KernelPlan &plan) {
  for (const std::string &id : choices.alternatives)
    addById(plan, id);
  for (const ClassChoice &choice : choices.classes)
    plan.classChoices.push_back({choice.launchClass, addById(plan, choice.alternative),
                                 choice.measuredOn, choice.originalMicroseconds,
                                 choice.chosenMicroseconds});
}

std::vector<std::string> regrain::describeOtherGeneration(const ImageOptions &options,
                                                          const DeviceCode &code, const Plan &plan,
                                                          llvm::ArrayRef<std::string> generations) {
  std::vector<std::string> warnings;
  for (auto [kernel, of] : llvm::zip_equal(code.kernels, plan.kernels)) {
    bool isOther = llvm::any_of(of.classChoices, [&](const KernelPlan::ClassChoice &choice) {
      const std::string &generation = choice.measuredOn.generation;
      return !generation.empty() && !llvm::is_contained(generations, generation);
    });
    if (isOther)
      warnings.push_back(options.choicesFile + " has choices for kernel '" + kernel.name +
                         "' that were measured with other options, tools or targets; they are not "
                         "used: run regrain tune again");
  }
  return warnings;
}

std::vector<std::string> regrain::describeUnmatched(const ImageOptions &options,
                                                    const DeviceCode &code) {
  std::vector<std::string> unmatched;
  for (const KernelChoices &choices : options.choices.kernels)
    if (llvm::none_of(code.kernels,
                      [&](const DeviceKernel &kernel) { return kernel.name == choices.name; }))
      unmatched.push_back("no kernel of this file is '" + choices.name + "', which " +
                          options.choicesFile + " has choices for");
  return unmatched;
}
