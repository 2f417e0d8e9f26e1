//===- array_copy.h - Copies to and from arrays -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/array_table.h"
#include "runtime/cudart/copy.h"

namespace regrain {

/// Returns whether an array takes part in the copy.
[[nodiscard]] bool usesArrays(const cudaMemcpy3DParms &box);

/// Returns cudaSuccess if cudaMemcpy3D accepts the box, in which an array takes part,
/// otherwise its error.
[[nodiscard]] cudaError_t checkArrayBox(const cudaMemcpy3DParms &box);
/// Copies such a box, with the errors of cudaMemcpy3D.
[[nodiscard]] cudaError_t copyArrayBox(const cudaMemcpy3DParms &box, Order order);

} // namespace regrain
