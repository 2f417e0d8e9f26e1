//===- Amdgpu.h - Kernels lowered for AMD GPUs ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The AMD target's LLVM IR, after all of its own lowering and before instruction
// selection, is interpreted: the result of a kernel is known without an AMD GPU.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Pipelines/CompileAlternative.h"
#include "fuzz/Oracle.h"

namespace regrain::fuzz {

/// The originals of one compile for one chip.
class AmdgpuOriginals {
public:
  /// `target` produces LLVM IR and must outlive this object.
  static llvm::Expected<AmdgpuOriginals> compile(const SelectedTarget &target,
                                                 const llvm::Module &device,
                                                 llvm::ArrayRef<std::string> symbols,
                                                 const CodegenOptions &options);

  /// Returns the chip, such as "gfx90a".
  const std::string &chip() const { return name; }

  /// Returns why the kernel has no code; null if it has.
  const Refusal *refusalOf(llvm::StringRef symbol) const;

  Interpretation runOriginal(const std::string &symbol, const Task &task,
                             const ScaledLaunch &scaled) const;

  /// Runs the target's output for a grain.
  Interpretation runGrain(const TargetOutput &output, const Task &task, const ScaledLaunch &scaled,
                          const Grain &grain) const;

private:
  AmdgpuOriginals() = default;

  std::string name;
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> originals; ///< null if no kernel has code
  std::vector<KernelCode> kernels;
  std::vector<std::string> managed; ///< variables that the originals reach by slots
};

} // namespace regrain::fuzz
