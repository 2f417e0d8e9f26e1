//===- Prepare.cpp - Prepare device compiles for the targets --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Prepare.h"

#include "compiler/Analysis/MemoryUse.h"
#include "compiler/Identity/KernelHash.h"
#include "compiler/Identity/Replay.h"
#include "compiler/Pipelines/ExposeVariables.h"
#include "compiler/Selection/ApplyChoices.h"
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

/// Gives each kernel its facts for the tuner, over all device compiles: the hash of its content,
/// and what prevents repeating a launch.
static void addFacts(llvm::ArrayRef<ArchedDevice> devices) {
  llvm::StringMap<std::vector<std::string>> hashes;
  llvm::StringMap<std::optional<std::string>> effects;
  llvm::StringMap<bool> allocating;
  for (const ArchedDevice &device : devices) {
    const llvm::Module &module = *device.code->module;
    std::vector<const llvm::Function *> kernels;
    for (const DeviceKernel &kernel : device.code->kernels) {
      kernels.push_back(module.getFunction(kernel.symbol));
      if (std::optional<std::string> &effect = effects[kernel.symbol]; !effect)
        effect = whyNotReplayable(*kernels.back());
      allocating[kernel.symbol] |= mayAllocate(*kernels.back());
    }
    for (auto [kernel, hash] : llvm::zip_equal(device.code->kernels, hashKernels(module, kernels)))
      hashes[kernel.symbol].push_back(std::move(hash));
  }
  for (const ArchedDevice &device : devices)
    for (DeviceKernel &kernel : device.code->kernels) {
      kernel.hash = combineHashes(hashes[kernel.symbol]);
      kernel.notReplayable = effects[kernel.symbol];
      kernel.mayAllocate = allocating[kernel.symbol];
    }
}

/// Adds facts to `kernels` that only grain IR shows: what prevents repeating a launch, and how the
/// kernel uses memory.
static void addShown(const ImportedModule &imported, llvm::MutableArrayRef<DeviceKernel> kernels) {
  for (DeviceKernel &kernel : kernels) {
    auto op = imported.module().lookupSymbol<grain::KernelOp>(kernel.symbol);
    if (op && !kernel.notReplayable)
      kernel.notReplayable = whyNotReplayable(op);
    if (!kernel.memory)
      kernel.memory.emplace();
    kernel.memory->join(op ? memoryUseOf(op) : MemoryUse::unknown());
  }
}

/// Returns a plan without alternatives: the original of each kernel.
static Plan originalsOnly(const DeviceCode &code) {
  Plan plan;
  plan.kernels.resize(code.kernels.size());
  return plan;
}

llvm::Expected<PreparedDevices> regrain::prepareDevices(llvm::ArrayRef<ArchedDevice> devices,
                                                        const ImageOptions &options,
                                                        std::vector<DeviceVariable> &variables) {
  PreparedDevices prepared;
  bool alternatives = asksForAlternatives(options, *devices.front().code);
  {
    PhaseTimer timer(options.codegen.times, Phase::Facts);
    addFacts(devices);
  }
  if (alternatives)
    prepared.context = makeContext();
  for (const ArchedDevice &device : devices) {
    DeviceWork work;
    work.arch = device.arch;
    work.code = device.code;
    std::vector<DeviceVariable> reachable =
        alternatives ? exposeVariables(*device.code) : device.code->variables;
    if (alternatives) {
      PhaseTimer timer(options.codegen.times, Phase::Import);
      auto imported =
          importDeviceModule(*device.code->module, work.kernelSymbols(), *prepared.context);
      if (!imported)
        return imported.takeError();
      work.imported.emplace(std::move(*imported));
      addShown(*work.imported, devices.front().code->kernels);
      exposeConstants(*device.code, work.imported->shownConstants(), reachable);
    }
    llvm::raw_svector_ostream stream(work.bitcode);
    llvm::WriteBitcodeToFile(*device.code->module, stream);
    if (prepared.works.empty())
      variables = std::move(reachable);
    prepared.works.push_back(std::move(work));
  }
  const DeviceWork &first = prepared.works.front();
  if (!alternatives) {
    prepared.plan = originalsOnly(*first.code);
  } else {
    auto plan = planAlternatives(*first.code, *first.imported, options);
    if (!plan)
      return plan.takeError();
    prepared.plan = std::move(*plan);
  }
  if (options.codegen.verbose)
    llvm::append_range(prepared.plan.warnings, describeUnmatched(options, *first.code));
  return prepared;
}
