//===- Lower.h - Device IR to x86-64 IR -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only this file determines the order of the CPU target's passes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CPU/CPU.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::cpu {

struct LowerOptions {
  CPULevel level = CPULevel::V3;
  CPUPath path = CPUPath::Fastest;
  /// Variables that the module declares are defined in the base module's object.
  bool variablesElsewhere = false;
  DebugInfo debugInfo = DebugInfo::None;
  Sanitizers sanitizers = {};
};

/// Turns a device module into one for the host that defines a RegrainCpuKernel for each of
/// `kernels` that the CPU can run. The result is not optimised yet.
llvm::Expected<std::vector<KernelCode>> lower(llvm::Module &module,
                                              llvm::ArrayRef<std::string> kernels,
                                              const LowerOptions &options,
                                              llvm::TargetMachine &machine);

/// Creates the machine for which code is generated.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(CPULevel level,
                                                                         unsigned optLevel);

/// Emits an object file of an optimised module, or assembly text.
llvm::Expected<std::vector<char>> emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                                             bool assembly);

} // namespace regrain::cpu
