//===- OfferedVariants.h - Variants that the source offers ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros of include/cuda/regrain/variants.h leave one constant in the device code for each
// variant. It names both kernels, which makes clang emit them, and the functions of the rule.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"
#include <set>

namespace regrain {

/// Removes the constants and the functions of the rules from `device`, and returns what they say.
/// Prints an error for each rule that the image cannot hold, and then returns nothing.
[[nodiscard]] std::optional<std::vector<OfferedVariant>> takeVariants(llvm::Module &device);

/// Lets the rules say the clusters of kernels for which these have a fixed size.
void fixClusters(DeviceCode &code);

/// Prints an error for each variant that cannot run in place of its original, and for each that has
/// the name of another one. Returns whether there is any.
[[nodiscard]] bool reportWrongVariants(const DeviceCode &code);

/// Moves the kernels that only run as variants out of `code.kernels`. Kernels that never run in
/// this file, because it does not launch their original, are removed. `named` are the symbols of
/// the kernels that the program itself names.
void setApartOffered(DeviceCode &code, const std::set<std::string> &named);

} // namespace regrain
