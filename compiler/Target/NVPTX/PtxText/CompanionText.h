//===- CompanionText.h - Two compilers' PTX in one module -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Companion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <vector>

namespace regrain::nvptx {

/// Returns the PTX of a base module, followed by the companion's, in the newer of their versions.
/// Both texts end with a zero.
[[nodiscard]] std::vector<char> joinWith(llvm::ArrayRef<char> ptx, const CompanionCode &companion);

/// Returns the companion with some of its kernels alone, and what these reach. Nothing if its text
/// has a form that is not known.
[[nodiscard]] std::optional<CompanionCode> onlyKernels(const CompanionCode &companion,
                                                       const llvm::StringSet<> &symbols);

} // namespace regrain::nvptx
