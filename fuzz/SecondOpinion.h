//===- SecondOpinion.h - A batch's kernels interpreted too ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ran on the CPU as its original does is run again by the interpreter: a
// share of the kernels as grain IR exports them, all as they are lowered for the
// AMD GPUs asked for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Originals.h"

namespace regrain::fuzz {

/// Tells of a kernel at a grain what became of it, with the detail.
using Say = std::function<void(uint32_t, const std::string &, Verdict, const std::string &)>;

/// A launch of a kernel that the interpreter repeats.
struct Trial {
  uint32_t index; ///< of the kernel, in the batch
  const Specimen &kernel;
  const Task &task;
  const ScaledLaunch &scaled;
};

class SecondOpinion {
public:
  /// `originals` are compiled; all outlive this.
  SecondOpinion(Originals &originals, const BatchOptions &options, const Say &say)
      : originals(originals), options(options), say(say) {}

  /// Starts on a kernel; `wanted`: what it gives on the CPU. Says what is wrong.
  void executeOriginal(const Trial &trial, const Contents &wanted);
  /// Where the kernel is among those that are interpreted.
  void interpretOriginal(const Trial &trial);

  /// Whether there is one of the kernel.
  bool isAny() const { return interpreted || !originals.amdgpu().empty(); }
  /// What is wrong with a grain of the kernel, with the verdict that says so; Same where
  /// nothing is. `wanted`: what the original gives on the CPU, where it gives something.
  std::pair<Verdict, std::string> judge(const Trial &trial, const Grain &grain,
                                        const AlternativeOutcome &outcome,
                                        const std::optional<Contents> &wanted);

private:
  llvm::Expected<std::unique_ptr<llvm::Module>> exportWith(decltype(regrainKernel) regrain,
                                                           uint32_t index, const Grain &grain,
                                                           const std::string &symbol);
  std::pair<Verdict, std::string> interpretGrain(const Trial &trial, const Grain &grain);
  std::pair<Verdict, std::string> compareInterpreted(const Trial &trial, const Grain &grain,
                                                     const InterpretedCode &code);
  std::string executeGrain(const Trial &trial, const Grain &grain,
                           const AlternativeOutcome &outcome, const Contents &wanted);
  std::string compareExecuted(const Trial &trial, const std::string &grain,
                              const AmdgpuOriginals &on, const Interpretation &result,
                              const Contents &wanted);

  Originals &originals;
  const BatchOptions &options;
  const Say &say;
  std::optional<Contents> interpreted; ///< what the running kernel's original gives
  /// All originals as LLVM's pipeline for NVIDIA GPUs leaves them, once they are needed.
  std::unique_ptr<llvm::Module> optimised;
};

} // namespace regrain::fuzz
