//===- Parameters.h - What a launch passes to a kernel ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the program's own parameters, a launch at a grain passes the following in this order, each
// only if it is needed: a pointer to lent memory, the program's grid, the program's block, and
// the first block of a remainder. Each of the last three consists of three i32.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain::grain {

/// The bytes of parameters that every version of CUDA accepts. From CUDA 12.1 on, a program may
/// have more on newer GPUs, up to `mostParameterBytes`.
inline constexpr uint64_t portableParameterBytes = 4096;
inline constexpr uint64_t mostParameterBytes = 32764;

/// Returns whether one iteration of a nest with these factors stands for several.
[[nodiscard]] bool isCoarse(llvm::ArrayRef<int32_t> factors);

/// Returns whether the launch passes the program's grid.
[[nodiscard]] bool takesGrid(BlocksOp blocks);

/// Returns the types of the parameters that a launch of `blocks` passes after the program's own.
[[nodiscard]] llvm::SmallVector<mlir::Type> appendedParameters(BlocksOp blocks);

/// Returns the bytes of the parameters of `kernel`, laid out as in CUDA, and of `appended`.
[[nodiscard]] uint64_t parameterBytes(KernelOp kernel, llvm::ArrayRef<mlir::Type> appended = {});

} // namespace regrain::grain
