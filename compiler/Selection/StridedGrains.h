//===- StridedGrains.h - Neighbours where blocks stride ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Returns the grains at which threads take neighbouring elements of loops by which their block
/// strides, if there are such loops. `statistics` are those of the kernel.
[[nodiscard]] std::vector<Grain> stridedGrainsOf(grain::KernelOp kernel,
                                                 const Statistics &statistics);

} // namespace regrain
