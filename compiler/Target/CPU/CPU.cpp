//===- CPU.cpp - x86-64 as a target ---------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/Flatten.h"
#include "compiler/Target/CPU/Lower.h"
#include "compiler/Target/Linker.h"
#include "compiler/Target/ObjectCode.h"
#include "compiler/Target/Pipeline.h"
#include "compiler/Target/SumOrder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;

namespace regrain {

namespace cpu {

static void setOptions() {
  // Functions with at least this many blocks are prepared for the code generator by visiting only
  // what has changed. Otherwise CodeGenPrepare starts again at each select that becomes a branch,
  // of which a kernel at a coarse grain has thousands.
  setLLVMOption("cgpp-huge-func", "500");
  // In a loop that is marked as parallel, LLVM 19 combines a thread's accesses to neighbouring
  // words, moving them past accesses to the same words through other pointers.
  setLLVMOption("enable-interleaved-mem-accesses", "false");
}

static StringRef processorOf(CPULevel level) {
  switch (level) {
  case CPULevel::V2:
    return "x86-64-v2";
  case CPULevel::V3:
    return "x86-64-v3";
  case CPULevel::V4:
    return "x86-64-v4";
  }
  llvm_unreachable("every level is handled above");
}

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(CPULevel level, unsigned optLevel) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    setOptions();
  });
  constexpr StringLiteral triple = "x86_64-unknown-linux-gnu";
  std::string error;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple.str(), error);
  if (!target)
    return createStringError("this LLVM has no x86-64 code generator: " + error);
  StringRef processor = processorOf(level);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  // A path that the program may not take ends in an error, not in the code that follows.
  options.TrapUnreachable = options.NoTrapAfterNoreturn = true;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, processor, "", options, Reloc::PIC_, std::nullopt,
      optLevel == 0 ? CodeGenOptLevel::None : CodeGenOptLevel::Default));
  if (!machine)
    return createStringError("this LLVM cannot generate code for " + processor);
  return machine;
}

Expected<std::vector<char>> emitObject(Module &module, TargetMachine &machine, bool assembly) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  assembly ? CodeGenFileType::AssemblyFile
                                           : CodeGenFileType::ObjectFile))
    return createStringError("this LLVM cannot write x86-64 object files");
  passes.run(module);
  return std::vector<char>(buffer.begin(), buffer.end());
}

/// Gives every function the attributes of the target machine, so that functions that are inlined
/// into each other agree.
static void setAttributes(Module &module, const TargetMachine &machine) {
  for (Function &function : module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("prefer-vector-width", "256");
      function.setUWTableKind(UWTableKind::None);
      function.setDoesNotThrow();
      // An access through null is executed, so that the program gets its error.
      function.addFnAttr(Attribute::NullPointerIsValid);
    }
}

/// Sums the sizes of the symbols that belong to each kernel.
static void fillCodeBytes(ArrayRef<char> object, std::vector<KernelCode> &kernels) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(StringRef(object.data(), object.size()), "object"));
  if (!file)
    return consumeError(file.takeError());
  for (const object::SymbolRef &symbol : (*file)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name) {
      consumeError(name.takeError());
      continue;
    }
    for (KernelCode &kernel : kernels)
      if (name->starts_with(kernel.symbol + "."))
        kernel.resources.codeBytes =
            std::max(kernel.resources.codeBytes, 0) + object::ELFSymbolRef(symbol).getSize();
  }
}

static uint64_t countInstructions(const Module &module, StringRef kernel) {
  uint64_t count = 0;
  for (const Function &function : module)
    if (function.getName().starts_with((kernel + ".").str()))
      count += function.getInstructionCount();
  return count;
}

static Expected<CompiledModule> compile(Module &module, ArrayRef<std::string> kernels,
                                        const LowerOptions &options, bool assembly,
                                        const CodegenOptions &codegen,
                                        const AlternativeLimits &limits) {
  auto machine = createTargetMachine(options.level, codegen.optLevel);
  if (!machine)
    return machine.takeError();
  mlir::TimingScope timing = codegen.time(optimisePhase);
  bool reordersSums = mayReorderSums(module, kernels);
  Expected<std::vector<KernelCode>> codes = lower(module, kernels, options, **machine);
  if (!codes)
    return codes.takeError();
  uint64_t instructions = 0;
  for (KernelCode &code : *codes)
    instructions += code.instructions = countInstructions(module, code.symbol);
  if (limits.admits && !limits.admits(instructions))
    return createStringError("not optimised: " + Twine(instructions) + " instructions");
  setAttributes(module, **machine);
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError("the CPU target made invalid code: " + broken);
  optimize(module, **machine, codegen.optLevel, reordersSums);
  timing = codegen.time(generatePhase);
  Expected<std::vector<char>> object = emitObject(module, **machine, assembly);
  if (!object)
    return object.takeError();
  CompiledModule result;
  if (!assembly)
    fillCodeBytes(*object, *codes);
  result.code = std::move(*object);
  result.kernels = std::move(*codes);
  return result;
}

} // namespace cpu

/// Code that is not optimised is for a debugger, which follows one thread at a time, as sanitizers
/// do.
CPUPath CPUTarget::pathFor(const CodegenOptions &codegen) const {
  bool followsThreads = codegen.optLevel == 0 || codegen.sanitizers.areAny();
  return followsThreads ? CPUPath::Continuations : options.path;
}

/// The versions of the mathematical functions belong to the build of this target and of the
/// runtime.
Expected<std::vector<CodeInput>> CPUTarget::inputs(const CodegenOptions &codegen) const {
  std::vector<CodeInput> inputs = {{"processor", cpu::processorOf(options.level).str()},
                                   {"path", std::to_string(int(pathFor(codegen)))},
                                   {"optimisation", std::to_string(codegen.optLevel)}};
  const Sanitizers &sanitizers = codegen.sanitizers;
  if (sanitizers.areAny())
    inputs.push_back({"sanitizers", std::to_string(sanitizers.address + 2 * sanitizers.undefined +
                                                   4 * sanitizers.thread)});
  return inputs;
}

/// An alternative has a module of its own, all of which is loaded.
Expected<std::string> CPUTarget::codeOf(ArrayRef<char> code, StringRef symbol) const {
  return sectionsOf(code, symbol, [](StringRef) { return true; });
}

Expected<CompiledModule> CPUTarget::compileBase(std::unique_ptr<Module> module,
                                                ArrayRef<std::string> kernels,
                                                const CodegenOptions &codegen) const {
  return cpu::compile(
      *module, kernels,
      {options.level, pathFor(codegen), false, codegen.debugInfo, codegen.sanitizers},
      options.assembly, codegen, {});
}

Expected<CompiledModule> CPUTarget::compileAlternative(std::unique_ptr<Module> module,
                                                       ArrayRef<std::string> kernels,
                                                       const CodegenOptions &codegen,
                                                       const AlternativeLimits &limits) const {
  return cpu::compile(
      *module, kernels,
      {options.level, pathFor(codegen), true, codegen.debugInfo, codegen.sanitizers},
      options.assembly, codegen, limits);
}

Expected<std::vector<char>> linkShared(ArrayRef<std::vector<char>> objects) {
  return linkObjects(objects, {"-Bsymbolic", "--hash-style=gnu"}, "CPU code");
}

} // namespace regrain
