//===- Parameters.h - What a launch passes to a kernel ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind the program's own parameters a launch at a grain passes, in this order and
// each where it is needed: a pointer to scratch memory; the program's grid; the
// program's block; the first block of a remainder. The last three are of three i32.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain::grain {

/// Bytes of parameters that every version of CUDA takes; from CUDA 12.1 on a program
/// may have more on newer GPUs, up to `mostParameterBytes`.
inline constexpr uint64_t portableParameterBytes = 4096;
inline constexpr uint64_t mostParameterBytes = 32764;

/// Whether one iteration of a nest with these factors stands for several.
[[nodiscard]] bool isCoarse(llvm::ArrayRef<int32_t> factors);

/// Whether the launch passes the program's grid.
[[nodiscard]] bool takesGrid(BlocksOp blocks);

/// Types of the parameters that a launch of `blocks` has behind the program's own.
[[nodiscard]] llvm::SmallVector<mlir::Type> appendedParameters(BlocksOp blocks);

/// Bytes of the parameters of `kernel`, laid out as CUDA does, and of `appended`.
[[nodiscard]] uint64_t parameterBytes(KernelOp kernel, llvm::ArrayRef<mlir::Type> appended = {});

} // namespace regrain::grain
