//===- Arithmetic.h - The floating-point operations of a kernel -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/footprint.h"

namespace regrain {

/// Returns how many additions, subtractions, products and quotients a thread computes, and which
/// functions it calls that compute more. Equal ones in equal loops are one entry, in the order of
/// the code. Comparisons, minima, roundings and conversions are no operations.
[[nodiscard]] std::vector<ArithmeticFootprint> arithmeticOf(grain::KernelOp kernel);

} // namespace regrain
