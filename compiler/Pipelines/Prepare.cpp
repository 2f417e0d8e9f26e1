//===- Prepare.cpp - Prepare device compiles for the targets --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Prepare.h"

#include "compiler/Analysis/MemoryUse.h"
#include "compiler/DeviceIR/DynamicShared.h"
#include "compiler/Identity/KernelHash.h"
#include "compiler/Identity/Replay.h"
#include "compiler/Pipelines/ExposeVariables.h"
#include "compiler/Selection/ApplyChoices.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
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

/// Returns the largest of launch bounds, 0 if one is none.
static unsigned largestBound(llvm::ArrayRef<unsigned> bounds) {
  return llvm::is_contained(bounds, 0) ? 0 : *llvm::max_element(bounds);
}

/// Returns the facts of the first device's kernels that LLVM IR shows, over all device compiles:
/// those of grain IR, the waits and how memory is used, are not among them.
static std::vector<KernelFacts> factsOf(llvm::ArrayRef<ArchedDevice> devices) {
  llvm::StringMap<std::vector<std::string>> hashes;
  llvm::StringMap<std::optional<std::string>> effects;
  llvm::StringMap<bool> allocating, systemWide;
  llvm::StringMap<std::vector<unsigned>> bounds;
  for (const ArchedDevice &device : devices) {
    const llvm::Module &module = *device.code->module;
    std::vector<const llvm::Function *> kernels;
    for (const DeviceKernel &kernel : device.code->kernels) {
      kernels.push_back(module.getFunction(kernel.symbol));
      if (std::optional<std::string> &effect = effects[kernel.symbol]; !effect)
        effect = whyNotReplayable(*kernels.back());
      bounds[kernel.symbol].push_back(kernel.maxThreads);
      allocating[kernel.symbol] |= mayAllocate(*kernels.back());
      systemWide[kernel.symbol] |= usesSystemScope(*kernels.back());
    }
    for (auto [kernel, hash] : llvm::zip_equal(device.code->kernels, hashKernels(module, kernels)))
      hashes[kernel.symbol].push_back(std::move(hash));
  }
  std::vector<KernelFacts> facts;
  for (const DeviceKernel &kernel : devices.front().code->kernels)
    facts.push_back({combineHashes(hashes[kernel.symbol]), effects[kernel.symbol],
                     largestBound(bounds[kernel.symbol]), allocating[kernel.symbol],
                     systemWide[kernel.symbol], MemoryUse::unknown()});
  return facts;
}

/// Completes the facts of `kernels` by those that the grain IR of all device compiles shows: what
/// prevents repeating a launch, and how memory is used.
static void addFromGrainIR(llvm::ArrayRef<DeviceWork> works, llvm::ArrayRef<DeviceKernel> kernels,
                           llvm::MutableArrayRef<KernelFacts> facts) {
  for (auto [kernel, known] : llvm::zip_equal(kernels, facts)) {
    MemoryUse memory;
    for (const DeviceWork &work : works) {
      auto op = work.imported->module().lookupSymbol<grain::KernelOp>(kernel.symbol);
      if (op && !known.notReplayable)
        known.notReplayable = whyNotReplayable(op);
      memory.join(op ? memoryUseOf(op) : MemoryUse::unknown());
    }
    known.memory = std::move(memory);
  }
}

/// Returns a plan without alternatives: the original of each kernel.
static Plan originalsOnly(const DeviceCode &code) {
  Plan plan;
  plan.kernels.resize(code.kernels.size());
  return plan;
}

/// Serialises one device module. If alternatives are asked for, this exposes its variables first
/// and imports it into `context`.
static llvm::Expected<DeviceWork>
prepareDevice(const ArchedDevice &device, const ImageOptions &options, mlir::MLIRContext *context) {
  DeviceWork work;
  llvm::Module &module = *device.code->module;
  joinDynamicShared(module, llvm::map_to_vector(device.code->kernels, [&](const auto &kernel) {
                      return module.getFunction(kernel.symbol);
                    }));
  work.arch = device.arch;
  work.code = device.code;
  work.variables = context ? exposeVariables(*device.code) : device.code->variables;
  if (context) {
    mlir::TimingScope timing = options.codegen.time("import");
    auto imported = importDeviceModule(module, work.kernelSymbols(), *context);
    if (!imported)
      return imported.takeError();
    work.imported.emplace(std::move(*imported));
    exposeConstants(*device.code, work.imported->shownConstants(), work.variables);
  }
  llvm::raw_svector_ostream stream(work.bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return work;
}

llvm::Expected<PreparedDevices> regrain::prepareDevices(llvm::ArrayRef<ArchedDevice> devices,
                                                        const ImageOptions &options) {
  PreparedDevices prepared;
  const DeviceCode &first = *devices.front().code;
  {
    mlir::TimingScope timing = options.codegen.time("facts");
    prepared.facts = factsOf(devices);
  }
  bool alternatives = asksForAlternatives(options, first);
  if (alternatives)
    prepared.context = makeContext();
  for (const ArchedDevice &device : devices) {
    auto work = prepareDevice(device, options, prepared.context.get());
    if (!work)
      return work.takeError();
    prepared.works.push_back(std::move(*work));
  }
  if (!alternatives) {
    prepared.plan = originalsOnly(first);
  } else {
    addFromGrainIR(prepared.works, first.kernels, prepared.facts);
    auto plan = planAlternatives(first, prepared.facts, *prepared.works.front().imported, options);
    if (!plan)
      return plan.takeError();
    prepared.plan = std::move(*plan);
  }
  if (options.codegen.verbose)
    llvm::append_range(prepared.plan.warnings, describeUnmatched(options, first));
  return prepared;
}
