//===- Build.cpp - Results of the work on one file ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Selection/Build.h"

#include "llvm/ADT/STLExtras.h"

using namespace regrain;

std::vector<std::string> DeviceWork::kernelSymbols() const {
  std::vector<std::string> symbols;
  for (const DeviceKernel &kernel : code->kernels)
    symbols.push_back(kernel.symbol);
  return symbols;
}

std::vector<std::string> DeviceWork::allSymbols() const {
  std::vector<std::string> symbols = kernelSymbols();
  for (const DeviceKernel &kernel : code->offeredKernels)
    symbols.push_back(kernel.symbol);
  return symbols;
}

llvm::ArrayRef<char> DeviceWork::originalsFor(bool fixed) const {
  return imported && fixed ? imported->base() : llvm::ArrayRef<char>(bitcode);
}

const DeviceKernel *DeviceWork::findKernel(llvm::StringRef symbol) const {
  for (const auto *kernels : {&code->kernels, &code->offeredKernels})
    for (const DeviceKernel &kernel : *kernels)
      if (kernel.symbol == symbol)
        return &kernel;
  return nullptr;
}

const DeviceWork &Build::deviceFor(const SelectedTarget &target) const {
  return *llvm::find_if(prepared.works,
                        [&](const DeviceWork &device) { return device.arch == target.deviceArch; });
}

const KernelCode *Build::originalOf(unsigned kernel, unsigned target) const {
  if (!bases[target])
    return nullptr;
  auto original = llvm::find_if(bases[target]->kernels, [&](const KernelCode &candidate) {
    return candidate.symbol == code().kernels[kernel].symbol;
  });
  bool isThere = original != bases[target]->kernels.end() && !original->refusal;
  return isThere ? &*original : nullptr;
}
