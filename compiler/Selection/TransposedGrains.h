//===- TransposedGrains.h - Accesses in the order of addresses --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Returns the grains at which threads of a block of 32x32 elements access memory for each other,
/// so that neighbours access neighbouring elements; none if no access of the kernel gains by that.
[[nodiscard]] std::vector<Grain> transposedGrainsOf(grain::KernelOp kernel);

} // namespace regrain
