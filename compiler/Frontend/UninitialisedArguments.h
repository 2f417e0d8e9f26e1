//===- UninitialisedArguments.h - Lanes without a value ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lane draws a number, and a shuffle gives it to all: `int n; if (leader) n = atomicAdd(p,
// count); n = __shfl_sync(mask, n, 0);`. In C++ the n of the other lanes must not even be passed to
// a function, and LLVM would conclude that every lane is the leader. CUDA programs rely on passing
// it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Removes clang's claim that values which functions take and return, and values that are loaded,
/// are initialised. No pass may have run on the module. `kernels` keep the claim for their
/// arguments, since the host provides a value for each.
void allowUninitialisedArguments(llvm::Module &module, llvm::ArrayRef<DeviceKernel> kernels);

} // namespace regrain
