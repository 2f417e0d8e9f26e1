//===- AtomicOrder.h - Whether the order of updates matters -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace regrain {

/// Returns whether atomic operations of this kind, on one place and with unused results, leave one
/// number there in any order. Sums of floating-point numbers do if they may be reassociated.
[[nodiscard]] bool isUnordered(mlir::LLVM::AtomicBinOp kind, bool reassociate);

} // namespace regrain
