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

/// Returns what the source says of a variant, as one text.
static std::string contentOf(const OfferedVariant &offered) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "variant " << offered.name << " within " << offered.ulps;
  for (const RuleStep &step : offered.rule.steps)
    out << ' ' << unsigned(step.op) << ':' << unsigned(step.bits) << ':' << step.first << ':'
        << step.second << ':' << step.third << ':' << step.value;
  for (uint32_t result : offered.rule.results)
    out << " =" << result;
  return text;
}

/// Returns the facts of the first device's kernels that LLVM IR shows, over all device compiles:
/// those of grain IR, the waits and how memory is used, are not among them.
static std::vector<KernelFacts> factsOf(llvm::ArrayRef<ArchedDevice> devices) {
  llvm::StringMap<std::vector<std::string>> hashes;
  llvm::StringMap<std::optional<std::string>> effects;
  llvm::StringMap<bool> allocating, systemWide, sizing;
  llvm::StringMap<std::vector<unsigned>> bounds;
  for (const ArchedDevice &device : devices) {
    const llvm::Module &module = *device.code->module;
    std::vector<const llvm::Function *> kernels;
    for (const auto *group : {&device.code->kernels, &device.code->offeredKernels})
      for (const DeviceKernel &kernel : *group) {
        kernels.push_back(module.getFunction(kernel.symbol));
        if (std::optional<std::string> &effect = effects[kernel.symbol]; !effect)
          effect = whyNotReplayable(*kernels.back());
        bounds[kernel.symbol].push_back(kernel.maxThreads);
        allocating[kernel.symbol] |= mayAllocate(*kernels.back());
        systemWide[kernel.symbol] |= usesSystemScope(*kernels.back());
        sizing[kernel.symbol] |= readsSharedSize(*kernels.back());
      }
    for (auto [kernel, hash] : llvm::zip_equal(kernels, hashKernels(module, kernels)))
      hashes[kernel->getName()].push_back(std::move(hash));
  }
  std::vector<KernelFacts> facts;
  for (const DeviceKernel &kernel : devices.front().code->kernels)
    facts.push_back({combineHashes(hashes[kernel.symbol]), effects[kernel.symbol],
                     largestBound(bounds[kernel.symbol]), allocating[kernel.symbol],
                     systemWide[kernel.symbol], sizing[kernel.symbol], MemoryUse::unknown()});
  // A launch may run a variant, so what holds for its launches must hold for variants as well.
  for (auto [kernel, known] : llvm::zip_equal(devices.front().code->kernels, facts))
    for (const OfferedVariant &offered : devices.front().code->variants) {
      if (offered.original != kernel.symbol)
        continue;
      known.hash =
          combineHashes({known.hash, contentOf(offered), combineHashes(hashes[offered.variant])});
      if (!known.notReplayable)
        known.notReplayable = effects[offered.variant];
      known.mayAllocate |= allocating[offered.variant];
      known.usesSystemScope |= systemWide[offered.variant];
      known.readsSharedSize |= sizing[offered.variant];
    }
  return facts;
}

/// Completes the facts of `kernels` by those that the grain IR of all device compiles shows: what
/// prevents repeating a launch, and how memory is used.
static void addFromGrainIR(llvm::ArrayRef<DeviceWork> works, const DeviceCode &code,
                           llvm::MutableArrayRef<KernelFacts> facts) {
  auto find = [](const DeviceWork &work, const std::string &symbol) {
    return work.imported->module().lookupSymbol<grain::KernelOp>(symbol);
  };
  for (auto [kernel, known] : llvm::zip_equal(code.kernels, facts)) {
    MemoryUse memory;
    for (const DeviceWork &work : works) {
      auto op = find(work, kernel.symbol);
      if (op && !known.notReplayable)
        known.notReplayable = whyNotReplayable(op, *work.code->module);
      memory.join(op ? memoryUseOf(op) : MemoryUse::unknown());
      for (const OfferedVariant &offered : code.variants)
        if (offered.original == kernel.symbol && work.findKernel(offered.variant)) {
          auto variant = find(work, offered.variant);
          if (variant && !known.notReplayable)
            known.notReplayable = whyNotReplayable(variant, *work.code->module);
          // Its results are compared as the numbers that the original stores.
          memory.staysInArguments &= variant && memoryUseOf(variant).staysInArguments;
        }
    }
    known.memory = std::move(memory);
  }
}

/// Gives the first device the variants of all: code for some architectures may have more. The
/// launch of a variant does not depend on the device.
static llvm::Error gatherVariants(llvm::ArrayRef<ArchedDevice> devices) {
  std::vector<OfferedVariant> &all = devices.front().code->variants;
  for (const ArchedDevice &device : devices.drop_front())
    for (const OfferedVariant &offered : device.code->variants) {
      auto known = llvm::find_if(all, [&](const OfferedVariant &one) {
        return one.original == offered.original && one.variant == offered.variant;
      });
      if (known == all.end())
        all.push_back(offered);
      else if (contentOf(*known) != contentOf(offered))
        return llvm::createStringError(
            offered.file + ":" + llvm::Twine(offered.line) + ": variant '" + offered.name +
            "' has different rules or distances for different architectures");
    }
  return llvm::Error::success();
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
  work.arch = device.arch;
  work.code = device.code;
  joinDynamicShared(module, llvm::map_to_vector(work.allSymbols(), [&](const std::string &symbol) {
                      return module.getFunction(symbol);
                    }));
  work.variables = context ? exposeVariables(*device.code) : device.code->variables;
  if (context) {
    mlir::TimingScope timing = options.codegen.time("import");
    auto imported = importDeviceModule(module, work.allSymbols(), *context);
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
  if (llvm::Error error = gatherVariants(devices))
    return std::move(error);
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
    addFromGrainIR(prepared.works, first, prepared.facts);
    auto plan = planAlternatives(first, prepared.facts, *prepared.works.front().imported, options);
    if (!plan)
      return plan.takeError();
    prepared.plan = std::move(*plan);
  }
  if (options.codegen.verbose)
    llvm::append_range(prepared.plan.warnings, describeUnmatched(options, first));
  return prepared;
}
