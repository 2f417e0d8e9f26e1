//===- ZeroBits.h - What integers are multiples of --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Affine.h"

namespace regrain {

/// Returns the number of low bits of an integer or a pointer that are zero, as far as the
/// operations show it by which it is computed, and the alignment that kernels' parameters are noted
/// to have.
[[nodiscard]] unsigned zeroBitsOf(mlir::Value value);

/// Returns the operand of a sum that is proved to be a multiple of a power of two, where the other
/// is not negative and below that; nothing if there is none. Such a sum carries nothing, so it does
/// not wrap, neither as a signed nor as an unsigned number.
[[nodiscard]] std::optional<unsigned> multipleIn(mlir::arith::AddIOp sum, AffineForms &forms);

} // namespace regrain
