//===- EmitStage.cpp - Show one stage of a file ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Build.h"
#include "compiler/Pipelines/BuildImage.h"
#include "compiler/Pipelines/Remarks.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace regrain;

namespace {

std::vector<char> toBytes(llvm::StringRef text) { return {text.begin(), text.end()}; }

std::vector<char> emitLLVM(llvm::ArrayRef<ArchedDevice> devices) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const ArchedDevice &device : devices)
    device.code->module->print(stream, nullptr);
  return toBytes(text);
}

/// Every kernel of the first device compile, once per grain that is not refused.
llvm::Expected<std::vector<char>> emitGrain(llvm::ArrayRef<ArchedDevice> devices,
                                            const ImageOptions &options) {
  ImageOptions importing = options;
  importing.raise = true;
  std::vector<DeviceVariable> variables;
  auto prepared = prepareDevices(devices.take_front(), importing, variables);
  if (!prepared)
    return prepared.takeError();
  const DeviceWork &work = prepared->works.front();
  std::vector<RefusedGrain> refused = prepared->plan.refused;
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto print = [&](const DeviceKernel &kernel, mlir::ModuleOp module, const std::string &grain) {
    stream << "// " << kernel.name << " at " << grain << "\n";
    module.lookupSymbol(kernel.symbol)->print(stream);
    stream << "\n\n";
  };
  for (auto [kernel, plan] : llvm::zip_equal(work.code->kernels, prepared->plan.kernels)) {
    if (!work.imported->module().lookupSymbol(kernel.symbol))
      continue;
    size_t legal = 0;
    for (unsigned index = 0; index < plan.grains.size() || plan.tryNext(legal); ++index) {
      const Grain &grain = plan.grains[index];
      size_t before = refused.size();
      if (auto module = regrainKernel(*work.imported, kernel, grain, refused)) {
        legal += index >= plan.requested;
        print(kernel, *module, toString(grain));
        if (grain.remainder)
          if (auto remainder = regrainRemainder(*work.imported, kernel, grain, refused))
            print(kernel, *remainder, toString(grain) + ", its remainder");
      }
      for (RefusedGrain &entry : llvm::drop_begin(refused, before))
        entry.asked = index < plan.requested;
    }
  }
  printRefusals(refused, options.remarks);
  return toBytes(text);
}

/// The text of every module, each under a line that names kernel and grain.
std::vector<char> concatenate(const Build &build, llvm::ArrayRef<PackedModule> modules) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const PackedModule &module : modules) {
    for (const PackedEntry &entry : module.entries)
      stream << "// " << build.code().kernels[entry.kernel].name << " at "
             << toString(build.prepared.plan.kernels[entry.kernel].grains[entry.alternative])
             << (entry.remainder ? ", its remainder\n" : "\n");
    stream << llvm::StringRef(module.code.data(), module.code.size()).rtrim('\0') << "\n";
  }
  return toBytes(text);
}

/// One module: the base, or the one alternative that was asked for.
llvm::Expected<std::vector<char>> singleModule(std::vector<PackedModule> modules,
                                               llvm::StringRef stage) {
  if (modules.size() > 2)
    return llvm::createStringError("--emit=" + stage + " writes one module, and there are " +
                                   llvm::Twine(modules.size()) +
                                   "; name one kernel and one grain with --coarsen");
  return std::move(modules.back().code);
}

bool isFor(llvm::StringRef target, Stage stage) {
  switch (stage) {
  case Stage::PTX:
    return target == "ptx" || target.starts_with("compute_");
  case Stage::Cubin:
    return target.starts_with("sm_");
  case Stage::AMDGCN:
  case Stage::Hsaco:
    return target.starts_with("gfx");
  default:
    return target == "cpu-assembly";
  }
}

llvm::Expected<std::vector<char>> emitCode(llvm::ArrayRef<ArchedDevice> devices,
                                           ImageOptions options, Stage stage) {
  if (stage == Stage::Assembly)
    options.targets = {"cpu-assembly"};
  llvm::erase_if(options.targets, [&](const std::string &name) { return !isFor(name, stage); });
  if (options.targets.empty())
    return llvm::createStringError(
        stage == Stage::Cubin ? "--emit=cubin needs a target with machine code: add -arch=sm_NN"
        : stage == Stage::PTX ? "--emit=ptx needs an NVIDIA target: add --targets=ptx"
                              : "--emit=amdgcn and --emit=hsaco need an AMD target: add "
                                "--offload-arch=gfx90a");
  options.targets.resize(1);
  if (stage == Stage::AMDGCN)
    options.targets.front() += "-ir";
  options.impliedTargets.clear();
  auto build = compileAll(devices, options);
  if (!build)
    return build.takeError();
  auto modules = packModules(**build);
  if (!modules)
    return modules.takeError();
  if (stage == Stage::Cubin)
    return singleModule(std::move(*modules), "cubin");
  if (stage == Stage::Hsaco)
    return singleModule(std::move(*modules), "hsaco");
  return concatenate(**build, *modules);
}

} // namespace

llvm::Expected<std::vector<char>> regrain::emitStage(llvm::ArrayRef<ArchedDevice> devices,
                                                     const ImageOptions &options, Stage stage) {
  switch (stage) {
  case Stage::LLVM:
    return emitLLVM(devices);
  case Stage::Grain:
    return emitGrain(devices, options);
  case Stage::PTX:
  case Stage::Assembly:
  case Stage::Cubin:
  case Stage::AMDGCN:
  case Stage::Hsaco:
    return emitCode(devices, options, stage);
  }
  llvm_unreachable("every stage is handled above");
}
