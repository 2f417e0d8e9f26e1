//===- Raisable.h - Which kernels grain IR can express ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Import/Import.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace regrain {

/// What speaks against raising a prepared kernel; nothing if nothing is seen
/// here. Looks at the kernel and at the functions it still calls:
///   - indirect branches, asm goto, exceptions: no structured form;
///   - indirect calls, addresses of functions: what runs is unknown;
///   - a kernel that refers to itself;
///   - calls, left by recursion, of functions that take part in the nest.
/// `cooperating` is findCooperating() of the module.
std::optional<ImportedModule::NotRaised>
findObstacle(llvm::Function &kernel, const llvm::DenseSet<const llvm::Function *> &cooperating);

/// `obstacle` with the position of `kernel`, or of `instruction` if it has one.
ImportedModule::NotRaised describeObstacle(const llvm::Function &kernel,
                                           const llvm::Instruction *instruction, Obstacle obstacle);

} // namespace regrain
