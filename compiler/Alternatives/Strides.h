//===- Strides.h - Integers that decide about alignment ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include <set>

namespace regrain {

/// What must be multiples: of each of these sets of integer parameters, one.
using StrideChoices = std::set<std::set<uint32_t>>;

/// Adds what decides whether `address` is aligned for an access to `widest` elements: the integer
/// parameters that it is a sum of, or a product with. One factor suffices to make a product a
/// multiple. This is a guess, for proposals.
void addStrides(grain::KernelOp kernel, mlir::Value address, int64_t widest,
                StrideChoices &choices);

/// Returns few parameters that have one in each set.
[[nodiscard]] std::set<uint32_t> chooseStrides(StrideChoices choices);

} // namespace regrain
