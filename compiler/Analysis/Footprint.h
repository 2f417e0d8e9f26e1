//===- Footprint.h - What a kernel asks of global memory --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/footprint.h"

namespace regrain {

/// Returns the accesses to memory that is not known to be shared or a thread's own, in the order of
/// the code. Addresses are polynomials of coordinates, trips of loops and values that are the same
/// for all threads of a block; one that is linear in the first two is known. Arithmetic is taken
/// not to wrap (Affine.h proves that, but here nothing follows from it).
[[nodiscard]] std::vector<AccessFootprint> footprintsOf(grain::KernelOp kernel);

} // namespace regrain
