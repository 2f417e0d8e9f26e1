//===- CodeGenerator.h - amdgcn LLVM IR to code objects ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "runtime/image/resources.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <vector>

namespace regrain::amdgpu {

/// Creates the target machine; returns null if LLVM was built without this target.
std::unique_ptr<llvm::TargetMachine> createMachine(const Chip &chip, unsigned optLevel);

/// Runs clang's pipeline for HIP at `level`.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level,
              bool reordersSums);

/// Emits an object file that is not linked yet, or assembly. The module is unusable afterwards.
llvm::Expected<std::vector<char>> emitFile(llvm::Module &module, llvm::TargetMachine &machine,
                                           llvm::CodeGenFileType type);

/// The name of the pass whose remarks report the resources of a kernel.
inline constexpr llvm::StringLiteral usagePass = "kernel-resource-usage";

/// Adds one remark of that pass to the figures of its kernel.
void addUsage(const llvm::DiagnosticInfoOptimizationBase &remark,
              llvm::StringMap<Resources> &kernels);

/// Fills in codeBytes from a code object.
llvm::Error readCodeSizes(llvm::ArrayRef<char> object, llvm::StringMap<Resources> &kernels);

} // namespace regrain::amdgpu
