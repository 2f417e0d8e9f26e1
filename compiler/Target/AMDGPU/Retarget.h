//===- Retarget.h - From nvptx64 to amdgcn ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang writes for NVIDIA becomes what clang would write for AMD, so that the
// code generator sees what it is made for:
//
//   - kernels have the calling convention, arguments in the kernarg segment
//     (structures by reference there), pointers to global memory;
//   - local variables live in the private address space;
//   - module variables of the general address space move to the global one;
//   - launch bounds become the work-group size.
//
// The address spaces for global, shared and constant memory have the same numbers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::amdgpu {

constexpr unsigned globalSpace = 1;
constexpr unsigned constantSpace = 4;
constexpr unsigned privateSpace = 5;

/// Where a kernel has no launch bounds, a block has at most so many threads.
constexpr unsigned mostThreads = 1024;

struct RetargetSettings {
  unsigned codeObjectVersion = 5;
  bool ownsVariables = true; ///< the base module; others reach variables by slots
  bool flushToZero = false;  ///< of single precision
};

void retarget(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
              const llvm::TargetMachine &machine, const RetargetSettings &settings);

} // namespace regrain::amdgpu
