//===- EmitStage.cpp - Show one stage of a file ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Pipelines/BuildImage.h"
#include "compiler/Pipelines/CompileAll.h"
#include "compiler/Pipelines/CompileAlternative.h"
#include "compiler/Pipelines/Prepare.h"
#include "compiler/Remarks/Remarks.h"
#include "compiler/Target/Registry/Registry.h"
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
  auto prepared = prepareDevices(devices.take_front(), importing);
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
  // Kernels call these functions and use these variables; regrain-opt reads them back.
  for (mlir::Operation &operation : *work.imported->module().getBody())
    if (!llvm::isa<grain::KernelOp>(operation))
      stream << operation << "\n\n";
  for (auto [kernel, plan] : llvm::zip_equal(work.code->kernels, prepared->plan.kernels)) {
    if (!work.imported->module().lookupSymbol(kernel.symbol))
      continue;
    size_t legal = 0;
    for (unsigned index = 0; index < plan.grains.size() || plan.tryNext(legal); ++index) {
      const Grain &grain = plan.grains[index];
      auto printPart = [&](GrainPart part, const std::string &title) {
        RegrainedModule made = regrainKernel(*work.imported, kernel, grain, part);
        if (auto *module = std::get_if<mlir::OwningOpRef<mlir::ModuleOp>>(&made)) {
          print(kernel, **module, title);
          return true;
        }
        refused.push_back(std::get<RefusedGrain>(std::move(made)));
        refused.back().asked = index < plan.requested;
        return false;
      };
      if (!printPart(GrainPart::Whole, toString(grain)))
        continue;
      legal += index >= plan.requested;
      if (grain.remainder)
        printPart(GrainPart::Remainder, toString(grain) + ", its remainder");
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

bool hasStage(llvm::StringRef target, llvm::StringRef stage) {
  const TargetFamily *family = findFamily(target);
  return family && llvm::any_of(family->stages(), [&](const CodeStage &own) {
           return own.name == stage && family->hasStage(target, own);
         });
}

/// Returns examples of targets that have the stage: "cpu or gfx90a".
std::string examplesFor(llvm::StringRef stage) {
  std::vector<std::string> examples;
  for (const TargetFamily *family : targetFamilies())
    for (const CodeStage &own : family->stages())
      if (own.name == stage)
        examples.push_back(own.example.str());
  return llvm::join(examples, " or ");
}

llvm::Expected<std::vector<char>> emitCode(llvm::ArrayRef<ArchedDevice> devices,
                                           ImageOptions options, const CodeStage &stage) {
  auto target = llvm::find_if(options.targets,
                              [&](llvm::StringRef name) { return hasStage(name, stage.name); });
  if (target == options.targets.end())
    return llvm::createStringError("--emit=" + stage.name + " needs a target such as " +
                                   examplesFor(stage.name) + "; named are " +
                                   llvm::join(options.targets, ", "));
  options.targets = {std::string(*target)};
  options.impliedTargets.clear();
  options.form = stage.form;
  auto build = compileAll(devices, options);
  if (!build)
    return build.takeError();
  std::string served = (*build)->targets.front().target->name();
  if (!hasStage(served, stage.name))
    return llvm::createStringError("--emit=" + stage.name + ": " + options.targets.front() +
                                   " is served by " + served + ", which has no such stage");
  auto modules = packModules(**build);
  if (!modules)
    return modules.takeError();
  if (stage.isBinary)
    return singleModule(std::move(*modules), stage.name);
  return concatenate(**build, *modules);
}

} // namespace

llvm::Expected<std::vector<char>> regrain::emitStage(llvm::ArrayRef<ArchedDevice> devices,
                                                     const ImageOptions &options,
                                                     const Stage &stage) {
  if (const auto *code = std::get_if<CodeStage>(&stage))
    return emitCode(devices, options, *code);
  if (std::holds_alternative<ImageStage>(stage))
    return buildImage(devices, options);
  return std::holds_alternative<GrainStage>(stage) ? emitGrain(devices, options)
                                                   : emitLLVM(devices);
}
