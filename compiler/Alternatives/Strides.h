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

/// Adds the numbers of the integer parameters of `kernel` that decide whether `address` is aligned
/// for an access to `widest` elements: those that it is a sum of, or a product with. This is a
/// guess, for proposals.
void addStrides(grain::KernelOp kernel, mlir::Value address, int64_t widest,
                std::set<uint32_t> &strides);

} // namespace regrain
