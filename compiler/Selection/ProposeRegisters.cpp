//===- ProposeRegisters.cpp - Grains from compiled originals --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/ProposeRegisters.h"

#include "compiler/Alternatives/RegisterSteps.h"
#include "compiler/Alternatives/SeenLaunches.h"
#include "compiler/Target/Registry/Registry.h"
#include "llvm/ADT/STLExtras.h"

using namespace regrain;

namespace {

constexpr size_t mostProposed = mostRegisterSteps, shareOfBudget = 4;

/// Returns the multiprocessor of a target that reports registers.
std::optional<Multiprocessor> multiprocessorOf(const SelectedTarget &target) {
  if (target.kind != image::CodeKind::Cubin)
    return std::nullopt;
  return regrain::multiprocessorOf(target.target->name());
}

BlockBounds boundsOf(const DeviceKernel &kernel, const KernelPlan &plan) {
  BlockBounds bounds = {usualBound, kernel.maxThreads, kernel.leastBlocks, kernel.mostRegisters};
  if (std::optional<Factors> block = commonBlock(plan.launches))
    bounds.threads = (*block)[0] * (*block)[1] * (*block)[2];
  else if (kernel.maxThreads)
    bounds.threads = kernel.maxThreads;
  return bounds;
}

} // namespace

bool regrain::reportsRegisters(const Build &build) {
  return llvm::any_of(build.targets, [](const SelectedTarget &target) {
    std::optional<Multiprocessor> multiprocessor = ::multiprocessorOf(target);
    return multiprocessor && multiprocessor->registers;
  });
}

void regrain::reserveForRegisters(Build &build) {
  if (reportsRegisters(build))
    for (KernelPlan &plan : build.prepared.plan.kernels)
      plan.reserved = std::min(mostProposed, plan.budget / shareOfBudget);
}

void regrain::proposeRegisters(Build &build) {
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels)) {
    plan.reserved = 0;
    if (!plan.budget)
      continue;
    std::vector<Grain> proposed;
    for (auto [index, target] : llvm::enumerate(build.targets)) {
      std::optional<Multiprocessor> multiprocessor = ::multiprocessorOf(target);
      const KernelCode *original = build.originalOf(kernel, index);
      if (!multiprocessor || !original)
        continue;
      const DeviceKernel &own = build.deviceFor(target).kernelNamed(original->symbol);
      for (Grain &grain : registerSteps(*multiprocessor, original->resources, boundsOf(own, plan)))
        if (!llvm::is_contained(plan.grains, grain) && !llvm::is_contained(proposed, grain))
          proposed.push_back(std::move(grain));
    }
    if (proposed.size() > mostProposed)
      proposed.resize(mostProposed);
    llvm::erase_if(plan.space,
                   [&](const Grain &grain) { return llvm::is_contained(proposed, grain); });
    plan.space.insert(plan.space.begin(), proposed.begin(), proposed.end());
  }
}

bool regrain::proposeVendorRegisters(Build &build, VendorCodeOf vendorCodeOf) {
  bool isAny = false;
  for (auto [kernel, plan] : llvm::enumerate(build.prepared.plan.kernels)) {
    if (!plan.budget)
      continue;
    for (auto [index, target] : llvm::enumerate(build.targets)) {
      std::optional<Multiprocessor> multiprocessor = ::multiprocessorOf(target);
      const KernelCode *code = multiprocessor ? vendorCodeOf(kernel, index) : nullptr;
      if (!code)
        continue;
      const DeviceKernel &own =
          build.deviceFor(target).kernelNamed(build.code().kernels[kernel].symbol);
      std::vector<Grain> steps =
          registerSteps(*multiprocessor, code->resources, boundsOf(own, plan));
      if (steps.empty() || !steps.front().codegen.contains("registers"))
        continue;
      steps.front().words["compiler"] = "nvcc";
      isAny |= !llvm::is_contained(plan.grains, steps.front());
      plan.add(steps.front());
    }
  }
  return isAny;
}
