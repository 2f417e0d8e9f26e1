//===- ApplyChoices.h - What --choose says of a kernel ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices hold only for the code that was measured: a kernel with another hash does not use them.
// --coarsen takes precedence over them, and they over --alternatives.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Plan.h"

namespace regrain {

/// Returns whether there are choices for a kernel of that name, in any version.
[[nodiscard]] bool hasChoices(const ImageOptions &options, const DeviceKernel &kernel);

/// Returns the choices that hold for `kernel`, whose content has `hash`, or null. If there are
/// choices of its name but none holds for it, this adds a warning.
[[nodiscard]] const KernelChoices *choicesFor(const ImageOptions &options,
                                              const DeviceKernel &kernel, llvm::StringRef hash,
                                              std::vector<std::string> &warnings);

/// Adds the grains of the choices to the plan, and which grain runs for launches of each class.
/// Launches of a class that the choices do not name run the original.
void applyChoices(const KernelChoices &choices, KernelPlan &plan);

/// The same with the choices of variants and of the vendor's code alone, for a kernel that has no
/// other grains.
void applyForeignChoices(const KernelChoices &choices, KernelPlan &plan);

/// Returns a warning for each kernel whose choices hold for none of `generations`, those of the
/// compiled targets.
[[nodiscard]] std::vector<std::string>
describeOtherGeneration(const ImageOptions &options, const DeviceCode &code, const Plan &plan,
                        llvm::ArrayRef<std::string> generations);

/// Returns a warning for each choice of a kernel that `code` does not have.
[[nodiscard]] std::vector<std::string> describeUnmatched(const ImageOptions &options,
                                                         const DeviceCode &code);

} // namespace regrain
