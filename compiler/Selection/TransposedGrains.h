//===- TransposedGrains.h - Accesses in the order of addresses --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <set>
#include <vector>

namespace regrain {

/// Returns the grains at which threads of a block of 32x32 elements access memory for each other,
/// so that neighbours access neighbouring elements; none if no access of the kernel gains by that.
/// If threads divide their numbers, and integer parameters decide by what (`divisors`), the first
/// one is for launches in which these are multiples of a side: the elements of a thread then have
/// one quotient.
[[nodiscard]] std::vector<Grain> transposedGrainsOf(grain::KernelOp kernel,
                                                    const std::set<uint32_t> &divisors);

} // namespace regrain
