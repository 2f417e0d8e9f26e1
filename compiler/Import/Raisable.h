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

/// Returns what prevents a prepared kernel from being raised, or nothing if no obstacle is found
/// here. Examines the kernel and the functions that it still calls for
/// - indirect branches, asm goto and exceptions, which have no structured form;
/// - indirect calls and addresses of functions, with which it is unknown what runs;
/// - a kernel that refers to itself;
/// - calls of functions that take part in the nest but are recursive and so not inlined.
///
/// `cooperating` is findCooperating() of the module.
std::optional<ImportedModule::NotRaised>
findObstacle(llvm::Function &kernel, const llvm::DenseSet<const llvm::Function *> &cooperating);

/// Returns `obstacle` with the position of `kernel`, or of `instruction` if it has one.
ImportedModule::NotRaised describeObstacle(const llvm::Function &kernel,
                                           const llvm::Instruction *instruction, Obstacle obstacle);

} // namespace regrain
