//===- Registry.h - All targets ---------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/TargetFamily.h"

namespace regrain {

/// Returns the families, in the order in which messages name them.
llvm::ArrayRef<const TargetFamily *> targetFamilies();

/// Returns the family that claims `name`, or null.
const TargetFamily *findFamily(llvm::StringRef name);

/// Returns the names of all targets, for messages: "cpu, ptx, compute_NN, ...".
std::string targetNames();

/// Returns the first stage with this name, or null.
const CodeStage *findStage(llvm::StringRef name);

/// Returns the names of all stages, each once.
std::vector<std::string> stageNames();

/// Returns what some of `targets` can do.
TargetFeatures featuresOf(llvm::ArrayRef<std::string> targets);

/// Returns the multiprocessor of target `name`, if it is a known GPU.
std::optional<Multiprocessor> multiprocessorOf(llvm::StringRef name);

/// Returns the multiprocessors of those of `targets` that are known GPUs.
std::vector<Multiprocessor> multiprocessorsOf(llvm::ArrayRef<std::string> targets);

/// Creates the back ends, each once, with their modules in this form. Fails on a name that is not a
/// target.
llvm::Expected<std::vector<SelectedTarget>> selectTargets(llvm::ArrayRef<std::string> targets,
                                                          CodeForm form,
                                                          std::vector<std::string> &warnings);

} // namespace regrain
