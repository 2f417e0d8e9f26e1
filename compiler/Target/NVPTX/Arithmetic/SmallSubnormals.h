//===- SmallSubnormals.h - Subnormal numbers of 16 bits ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Keeps the subnormal numbers of half and bfloat in functions that flush those of float
/// (`-ftz=true`). CUDA flushes single precision alone. LLVM 19 writes `.ftz` for all three types:
/// `add.ftz.f16` flushes, and ptxas rejects `add.ftz.bf16`. This replaces the operations by
/// intrinsics and integer operations that do not depend on the function's mode. Quotients and roots
/// of bfloat, and the smaller and the larger of two bfloats that have become floats, are computed
/// by instructions for floats that do not flush, as CUDA's functions do. `chip` is the number of
/// the architecture, such as 90. Operations that it has no instruction for stay, because LLVM
/// computes them in float. To be called after optimisation.
void keepSmallSubnormals(llvm::Module &module, unsigned chip);

} // namespace regrain::nvptx
