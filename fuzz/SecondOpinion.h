//===- SecondOpinion.h - Interpretation of a batch's kernels ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose result on the CPU equals the original's are also interpreted:
// some of them in the form that grain IR exports, and all in the form lowered
// for the requested AMD GPUs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Originals.h"

namespace regrain::fuzz {

/// Reports the outcome of a kernel at a grain, with the detail.
using Say = std::function<void(uint32_t, const std::string &, Verdict, const std::string &)>;

/// A launch of a kernel that the interpreter repeats.
struct Trial {
  uint32_t index; ///< the kernel's index in the batch
  const Specimen &kernel;
  const Task &task;
  const ScaledLaunch &scaled;
};

class SecondOpinion {
public:
  /// `originals` are compiled; all parameters must outlive this object.
  SecondOpinion(Originals &originals, const BatchOptions &options, const Say &say)
      : originals(originals), options(options), say(say) {}

  /// Begins a kernel; `wanted` is its result on the CPU. Reports faults.
  void executeOriginal(const Trial &trial, const Contents &wanted);
  /// Interprets the kernel if it is among those that are interpreted, and compares the result with
  /// `wanted`, that on the CPU, if there is one.
  void interpretOriginal(const Trial &trial, const std::optional<Contents> &wanted);

  /// Returns whether the kernel is interpreted at all.
  bool isAny() const { return interpreted || !originals.amdgpu().empty(); }
  /// Returns what is wrong with a grain of the kernel, with the verdict; Same if nothing
  /// is. `wanted` is the original's result on the CPU, if there is one.
  std::pair<Verdict, std::string> judge(const Trial &trial, const Grain &grain,
                                        const AlternativeOutcome &outcome,
                                        const std::optional<Contents> &wanted);

private:
  llvm::Expected<std::unique_ptr<llvm::Module>>
  exportPart(GrainPart part, uint32_t index, const Grain &grain, const std::string &symbol);
  std::pair<Verdict, std::string> interpretGrain(const Trial &trial, const Grain &grain);
  std::pair<Verdict, std::string> compareInterpreted(const Trial &trial, const Grain &grain,
                                                     const InterpretedCode &code,
                                                     const Contents &wanted);
  void interpretFusions(const Trial &trial);
  std::string executeGrain(const Trial &trial, const Grain &grain,
                           const AlternativeOutcome &outcome, const Contents &wanted);
  std::string compareExecuted(const Trial &trial, const std::string &grain,
                              const AmdgpuOriginals &on, const Interpretation &result,
                              const Contents &wanted);

  Originals &originals;
  const BatchOptions &options;
  const Say &say;
  std::optional<Contents> interpreted; ///< the result of the running kernel's original
  std::optional<Contents> fused;       ///< that with fused products and sums
  /// All originals after LLVM's pipeline for NVIDIA GPUs, made when first needed: with products
  /// apart, as on the CPU, and as a GPU fuses them.
  std::unique_ptr<llvm::Module> optimised, withFusions;
  /// All originals as written, with instructions in the place of assembly.
  std::unique_ptr<llvm::Module> written;
};

} // namespace regrain::fuzz
