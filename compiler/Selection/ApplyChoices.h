//===- ApplyChoices.h - What --choose says of a kernel ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choices hold for the very code that was measured: of a kernel with another hash
// they are not used. --coarsen goes before them, and they before --alternatives.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Selection/Plan.h"

namespace regrain {

/// Whether the choices speak of a kernel of that name, in whatever version.
[[nodiscard]] bool hasChoices(const ImageOptions &options, const DeviceKernel &kernel);

/// The choices that hold for `kernel`, or null. Where there are some of its name
/// and none is for it, adds a warning.
[[nodiscard]] const KernelChoices *choicesFor(const ImageOptions &options,
                                              const DeviceKernel &kernel,
                                              std::vector<std::string> &warnings);

/// Adds the grains of the choices to the plan, and what launches of each class run
/// at. Launches of a class that they do not name run the original.
void applyChoices(const KernelChoices &choices, KernelPlan &plan);

/// A warning for each kernel with choices that hold for none of `generations`, those of the
/// targets that were compiled.
[[nodiscard]] std::vector<std::string>
describeOtherGeneration(const ImageOptions &options, const DeviceCode &code, const Plan &plan,
                        llvm::ArrayRef<std::string> generations);

/// A warning for each choice of a kernel that `code` does not have.
[[nodiscard]] std::vector<std::string> describeUnmatched(const ImageOptions &options,
                                                         const DeviceCode &code);

} // namespace regrain
