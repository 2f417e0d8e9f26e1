//===- Amdgpu.cpp - Kernels lowered for AMD GPUs --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "fuzz/Amdgpu.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regrain::fuzz {

namespace {

Expected<std::unique_ptr<llvm::Module>> parse(ArrayRef<char> code, LLVMContext &context) {
  SMDiagnostic diagnostic;
  // The parser requires a zero after the text.
  std::string text(code.begin(), code.end());
  std::unique_ptr<llvm::Module> module =
      parseIR(MemoryBufferRef(text, "lowered"), diagnostic, context);
  if (!module)
    return createStringError("the lowered IR is not read: " + diagnostic.getMessage());
  return module;
}

} // namespace

Expected<AmdgpuOriginals> AmdgpuOriginals::compile(const SelectedTarget &target,
                                                   const llvm::Module &device,
                                                   ArrayRef<std::string> symbols,
                                                   const CodegenOptions &options) {
  AmdgpuOriginals result;
  result.name = target.arch;
  auto compiled = target.target->compileBase(CloneModule(device), symbols, options);
  if (!compiled)
    return compiled.takeError();
  result.kernels = std::move(compiled->kernels);
  if (compiled->code.empty())
    return result;
  auto module = parse(compiled->code, *result.context);
  if (!module)
    return module.takeError();
  result.originals = std::move(*module);
  result.managed = std::move(compiled->managedSlots);
  return result;
}

const Refusal *AmdgpuOriginals::refusalOf(StringRef symbol) const {
  auto code = find_if(kernels, [&](const KernelCode &each) { return each.symbol == symbol; });
  return code != kernels.end() && code->refusal ? &*code->refusal : nullptr;
}

Interpretation AmdgpuOriginals::runOriginal(const std::string &symbol, const Task &task,
                                            const ScaledLaunch &scaled) const {
  if (const Refusal *refusal = refusalOf(symbol))
    return {Interpretation::Unable, refusal->reason, {}};
  return interpret({originals.get(), symbol, originals.get(), nullptr, "", managed}, task, scaled,
                   Grain(), task.seed);
}

Interpretation AmdgpuOriginals::runGrain(const TargetOutput &output, const Task &task,
                                         const ScaledLaunch &scaled, const Grain &grain) const {
  if (!originals)
    return {Interpretation::Unable, "no original is there, which owns the variables", {}};
  auto module = parse(output.module.code, *context);
  if (!module)
    return {Interpretation::Faulty, toString(module.takeError()), {}};
  const std::string &symbol = output.module.kernels.front().symbol;
  return interpret(
      {module->get(), symbol, originals.get(), module->get(), symbol + "__rest", output.slots},
      task, scaled, grain, task.seed + 1);
}

} // namespace regrain::fuzz
