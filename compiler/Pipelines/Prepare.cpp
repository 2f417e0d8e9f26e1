//===- Prepare.cpp - Device compiles made ready for the targets -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Prepare.h"

#include "compiler/Pipelines/ExposeVariables.h"
#include "compiler/Pipelines/KernelHash.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeWriter.h"

using namespace regrain;

static std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  registerGrainIRDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry);
  context->loadAllAvailableDialects();
  return context;
}

/// Gives each kernel the hash of what all device compiles made of it.
static void hashAll(llvm::ArrayRef<ArchedDevice> devices) {
  llvm::StringMap<std::vector<std::string>> hashes;
  for (const ArchedDevice &device : devices) {
    std::vector<const llvm::Function *> kernels;
    for (const DeviceKernel &kernel : device.code->kernels)
      kernels.push_back(device.code->module->getFunction(kernel.symbol));
    for (auto [kernel, hash] :
         llvm::zip_equal(device.code->kernels, hashKernels(*device.code->module, kernels)))
      hashes[kernel.symbol].push_back(std::move(hash));
  }
  for (const ArchedDevice &device : devices)
    for (DeviceKernel &kernel : device.code->kernels)
      kernel.hash = combineHashes(hashes[kernel.symbol]);
}

/// A plan without alternatives: the original of each kernel.
static Plan originalsOnly(const DeviceCode &code) {
  Plan plan;
  plan.kernels.resize(code.kernels.size());
  return plan;
}

llvm::Expected<PreparedDevices> regrain::prepareDevices(llvm::ArrayRef<ArchedDevice> devices,
                                                        const ImageOptions &options,
                                                        std::vector<DeviceVariable> &variables) {
  PreparedDevices prepared;
  bool alternatives = asksForAlternatives(options);
  {
    PhaseTimer timer(options.codegen.times, Phase::Facts);
    hashAll(devices);
  }
  if (alternatives)
    prepared.context = makeContext();
  for (const ArchedDevice &device : devices) {
    DeviceWork work;
    work.arch = device.arch;
    work.code = device.code;
    std::vector<DeviceVariable> reachable =
        alternatives ? exposeVariables(*device.code) : device.code->variables;
    if (prepared.works.empty())
      variables = std::move(reachable);
    llvm::raw_svector_ostream stream(work.bitcode);
    llvm::WriteBitcodeToFile(*device.code->module, stream);
    if (alternatives) {
      PhaseTimer timer(options.codegen.times, Phase::Import);
      auto imported =
          importDeviceModule(*device.code->module, work.kernelSymbols(), *prepared.context);
      if (!imported)
        return imported.takeError();
      work.imported.emplace(std::move(*imported));
    }
    prepared.works.push_back(std::move(work));
  }
  const DeviceWork &first = prepared.works.front();
  if (!alternatives) {
    prepared.plan = originalsOnly(*first.code);
    return prepared;
  }
  auto plan = planAlternatives(*first.code, *first.imported, options);
  if (!plan)
    return plan.takeError();
  prepared.plan = std::move(*plan);
  return prepared;
}
