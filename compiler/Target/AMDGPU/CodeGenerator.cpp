//===- CodeGenerator.cpp - amdgcn LLVM IR to code objects -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/CodeGenerator.h"

#include "compiler/Target/Pipeline.h"
#include "compiler/Target/SumOrder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;

namespace regrain::amdgpu {

static constexpr const char tripleText[] = "amdgcn-amd-amdhsa";

static const Target *amdgpuTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // for the assembly in ROCm's libraries
  });
  std::string error;
  return TargetRegistry::lookupTarget(tripleText, error);
}

std::unique_ptr<TargetMachine> createMachine(const Chip &chip, unsigned optLevel) {
  const Target *target = amdgpuTarget();
  if (!target)
    return nullptr;
  // Products and sums are fused only if their flags allow it, as in HIP: the device libraries' own
  // are compensated and must not be fused.
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      tripleText, chip.name, "", options, Reloc::PIC_, std::nullopt, codeGenLevel(optLevel)));
}

void optimize(Module &module, TargetMachine &machine, unsigned level, bool reordersSums) {
  runPasses(module, machine, tuningFor(level), [&](PassBuilder &builder) {
    if (reordersSums)
      splitSums(builder);
    return defaultPipeline(builder, level);
  });
}

Expected<std::vector<char>> emitFile(Module &module, TargetMachine &machine, CodeGenFileType type) {
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  passes.add(createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(new TargetLibraryInfoWrapperPass(Triple(module.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return createStringError("LLVM's AMDGPU target writes no such file");
  passes.run(module);
  return std::vector<char>(bytes.begin(), bytes.end());
}

void addUsage(const DiagnosticInfoOptimizationBase &remark, StringMap<Resources> &kernels) {
  Resources &resources = kernels[remark.getFunction().getName()];
  int32_t *figure = StringSwitch<int32_t *>(remark.getRemarkName())
                        .Case("NumSGPR", &resources.scalarRegisters)
                        .Case("NumVGPR", &resources.registers)
                        .Case("NumAGPR", &resources.accumulationRegisters)
                        .Case("ScratchSize", &resources.stackBytes)
                        .Case("SGPRSpill", &resources.scalarSpills)
                        .Case("VGPRSpill", &resources.vectorSpills)
                        .Case("BytesLDS", &resources.staticSharedBytes)
                        .Default(nullptr);
  if (!figure)
    return;
  for (const auto &argument : remark.getArgs())
    if (argument.Key == remark.getRemarkName())
      (void)to_integer(argument.Val, *figure, 10);
}

Error readCodeSizes(ArrayRef<char> object, StringMap<Resources> &kernels) {
  auto file = object::ELFObjectFileBase::createELFObjectFile(
      {StringRef(object.data(), object.size()), "code object"});
  if (!file)
    return file.takeError();
  for (const object::ELFSymbolRef symbol : cast<object::ELFObjectFileBase>(**file).symbols()) {
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if (auto found = kernels.find(*name); found != kernels.end())
      found->second.codeBytes = static_cast<int32_t>(symbol.getSize());
  }
  return Error::success();
}

} // namespace regrain::amdgpu
