//===- WidenSums.h - Sums with a counter in 64 bits -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Block.h"

namespace regrain {

/// Forms numbers of 64 bits that are made of a loop's counter of 32 bits from one of 64 bits. LLVM
/// would lose that sums do not wrap when it joins them with the distances of several iterations.
void widenSums(mlir::Block &body, mlir::Value counter);

} // namespace regrain
