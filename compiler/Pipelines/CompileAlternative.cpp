//===- CompileAlternative.cpp - One kernel at one grain -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/CompileAlternative.h"

#include "compiler/Import/Export.h"
#include "compiler/Transforms/ApplyGrain.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace regrain;

std::vector<std::string> DeviceWork::kernelSymbols() const {
  std::vector<std::string> symbols;
  for (const DeviceKernel &kernel : code->kernels)
    symbols.push_back(kernel.symbol);
  return symbols;
}

namespace {

/// Keeps one kernel of a cloned module, and what is not a kernel.
void keepOnly(mlir::ModuleOp module, llvm::StringRef symbol) {
  for (auto kernel : llvm::make_early_inc_range(module.getOps<grain::KernelOp>()))
    if (kernel.getName() != symbol)
      kernel.erase();
}

/// The module variables that a module refers to without owning them.
std::vector<std::string> variablesReached(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::GlobalVariable &global : module.globals())
    if (global.isDeclaration() && !global.use_empty() && global.getAddressSpace() != 3)
      names.push_back(global.getName().str());
  return names;
}

RefusedGrain toRefusedGrain(const DeviceKernel &kernel, const Grain &grain,
                            const Refusal &refusal) {
  RefusedGrain refused =
      refuseAt(kernel, toString(grain), "transform", {refusal.kind, refusal.reason});
  if (!refusal.file.empty()) {
    refused.file = refusal.file;
    refused.line = refusal.line;
    refused.column = refusal.column;
  }
  return refused;
}

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> regrain::regrainKernel(const ImportedModule &imported,
                                                         const DeviceKernel &kernel,
                                                         const Grain &grain,
                                                         std::vector<RefusedGrain> &refused) {
  mlir::OwningOpRef<mlir::ModuleOp> module = imported.module().clone();
  keepOnly(*module, kernel.symbol);
  auto op = module->lookupSymbol<grain::KernelOp>(kernel.symbol);
  if (!op) {
    // Raised from the first device compile, where the plan was made, but not from this one.
    refused.push_back(refuseUnraised(kernel, imported, toString(grain)));
    return {};
  }
  llvm::SmallVector<Refusal> reasons;
  if (mlir::succeeded(applyGrain(op, grain, &reasons)))
    return module;
  for (const Refusal &reason : reasons)
    refused.push_back(toRefusedGrain(kernel, grain, reason));
  return {};
}

/// Compiles one exported module for one target; a kernel that the target has no
/// code for is a refusal.
static llvm::Error compileFor(const SelectedTarget &target, unsigned index,
                              std::unique_ptr<llvm::Module> module, const std::string &symbol,
                              const DeviceKernel &kernel, const Grain &grain,
                              const CodegenOptions &options, AlternativeOutcome &outcome) {
  std::vector<std::string> slots;
  if (!target.isCPU())
    slots = variablesReached(*module);
  llvm::Expected<CompiledModule> compiled =
      target.target->compileAlternative(std::move(module), {symbol}, options);
  if (!compiled)
    return compiled.takeError();
  for (const KernelCode &code : compiled->kernels)
    if (!code.missingReason.empty()) {
      outcome.refused.push_back(refuseAt(kernel, toString(grain), target.target->name(),
                                         {code.missingKind, code.missingReason}));
      return llvm::Error::success();
    }
  outcome.outputs.push_back({index, std::move(*compiled), std::move(slots)});
  return llvm::Error::success();
}

llvm::Expected<AlternativeOutcome>
regrain::compileAlternative(const DeviceWork &device, const DeviceKernel &kernel,
                            const Grain &grain, llvm::ArrayRef<SelectedTarget> targets,
                            const CodegenOptions &options) {
  AlternativeOutcome outcome;
  mlir::OwningOpRef<mlir::ModuleOp> regrained =
      regrainKernel(*device.imported, kernel, grain, outcome.refused);
  if (!regrained)
    return outcome;
  auto op = regrained->lookupSymbol<grain::KernelOp>(kernel.symbol);
  op.walk([&](grain::ThreadsOp threads) { outcome.wholeWarps |= threads.getWholeWarps(); });
  std::string symbol = kernel.symbol + "__grain_" + toSymbolSuffix(grain);
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> exported =
      exportKernel(op, *device.imported, symbol, context);
  if (!exported) {
    outcome.refused.push_back(
        refuseAt(kernel, toString(grain), "export",
                 {RefusalKind::ExportFailed, llvm::toString(exported.takeError())}));
    return outcome;
  }
  for (auto [index, target] : llvm::enumerate(targets)) {
    if (target.deviceArch != device.arch)
      continue;
    if (llvm::Error error = compileFor(target, index, llvm::CloneModule(**exported), symbol, kernel,
                                       grain, options, outcome))
      return std::move(error);
  }
  return outcome;
}
