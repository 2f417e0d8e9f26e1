//===- Retarget.h - From nvptx64 to amdgcn ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what clang emits for NVIDIA into what clang would emit for AMD, which the code generator
// expects:
//
// - kernels have the calling convention, arguments in the kernarg segment (structures by reference
//   there), and pointers to global memory;
// - local variables live in the private address space;
// - module variables of the generic address space move to the global one;
// - launch bounds become the work-group size.
//
// The address spaces for global, shared and constant memory have the same numbers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "runtime/image/launch_limits.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::amdgpu {

struct RetargetSettings {
  unsigned codeObjectVersion = 5;
  bool ownsVariables = true; ///< true for the base module; others reach variables by slots
  bool flushToZero = false;  ///< in single precision
};

void retarget(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
              const llvm::TargetMachine &machine, const RetargetSettings &settings);

} // namespace regrain::amdgpu
