//===- EmitStage.cpp - Show one stage of a file ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/BuildImage.h"
#include "compiler/Pipelines/CompileAll.h"
#include "compiler/Pipelines/CompileAlternative.h"
#include "compiler/Pipelines/Prepare.h"
#include "compiler/Remarks/Remarks.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

/// Prints every kernel of the first device compile, once for each grain that is not refused.
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

/// Returns the text of every module, each under a line that names kernel and grain.
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

/// Returns one module: the base, or the one alternative that was asked for.
llvm::Expected<std::vector<char>> singleModule(std::vector<PackedModule> modules,
                                               llvm::StringRef stage) {
  if (modules.size() > 2)
    return llvm::createStringError("--emit=" + stage + " writes one module, and there are " +
                                   llvm::Twine(modules.size()) +
                                   "; name one kernel and one grain with --coarsen");
  return std::move(modules.back().code);
}

/// A stage that exists for some targets.
struct CodeStage {
  llvm::StringRef name;
  llvm::StringRef example; ///< an example of such a target
  bool (*isOf)(llvm::StringRef target);
  llvm::StringRef form; ///< appended to a target's name, so that it writes text for people to read
};

bool hasPTX(llvm::StringRef target) { return target == "ptx" || target.starts_with("compute_"); }
bool hasCubin(llvm::StringRef target) { return target.starts_with("sm_"); }
bool isAMD(llvm::StringRef target) { return target.starts_with("gfx"); }
bool hasAssembly(llvm::StringRef target) { return target == "cpu" || isAMD(target); }

CodeStage describe(Stage stage) {
  switch (stage) {
  case Stage::PTX:
    return {"ptx", "ptx or compute_90", hasPTX, ""};
  case Stage::Cubin:
    return {"cubin", "sm_90", hasCubin, ""};
  case Stage::AMDGCN:
    return {"amdgcn", "gfx90a", isAMD, "-ir"};
  case Stage::Hsaco:
    return {"hsaco", "gfx90a", isAMD, ""};
  default:
    return {"asm", "cpu or gfx90a", hasAssembly, "-assembly"};
  }
}

llvm::Expected<std::vector<char>> emitCode(llvm::ArrayRef<ArchedDevice> devices,
                                           ImageOptions options, Stage stage) {
  CodeStage described = describe(stage);
  auto first = llvm::find_if(options.targets, described.isOf);
  if (first == options.targets.end())
    return llvm::createStringError("--emit=" + described.name + " needs a target such as " +
                                   described.example + "; named are " +
                                   llvm::join(options.targets, ", "));
  llvm::StringRef target = *first;
  if (!described.form.empty())
    target.consume_back("-ir");
  options.targets = {(target + described.form).str()};
  options.impliedTargets.clear();
  auto build = compileAll(devices, options);
  if (!build)
    return build.takeError();
  auto modules = packModules(**build);
  if (!modules)
    return modules.takeError();
  if (stage == Stage::Cubin || stage == Stage::Hsaco)
    return singleModule(std::move(*modules), described.name);
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
