//===- Amdgpu.h - Kernels as they are lowered for AMD GPUs ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AMD target's LLVM IR, after all of its own lowering and before instruction
// selection, interpreted: no AMD GPU is needed to see what a kernel computes there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Pipelines/CompileAlternative.h"
#include "fuzz/Oracle.h"

namespace regrain::fuzz {

/// The originals of one compile for one chip.
class AmdgpuOriginals {
public:
  /// `target` gives LLVM IR and lives longer than this.
  static llvm::Expected<AmdgpuOriginals> compile(const SelectedTarget &target,
                                                 const llvm::Module &device,
                                                 llvm::ArrayRef<std::string> symbols,
                                                 const CodegenOptions &options);

  /// "gfx90a".
  const std::string &chip() const { return name; }

  /// Why the kernel has no code; empty where it has.
  llvm::StringRef missingReason(llvm::StringRef symbol) const;

  Interpretation runOriginal(const std::string &symbol, const Task &task,
                             const ScaledLaunch &scaled) const;

  /// Runs what the target made of a grain.
  Interpretation runGrain(const TargetOutput &output, const Task &task, const ScaledLaunch &scaled,
                          const Grain &grain) const;

private:
  AmdgpuOriginals() = default;

  std::string name;
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> originals; ///< null where no kernel has code
  std::vector<KernelCode> kernels;
};

} // namespace regrain::fuzz
