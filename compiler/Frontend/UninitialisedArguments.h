//===- UninitialisedArguments.h - Lanes without a value ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One lane draws a number, and a shuffle gives it to all: `int n; if (leader) n =
// atomicAdd(p, count); n = __shfl_sync(mask, n, 0);`. In C++ the other lanes' n must not
// even be passed to a function, and LLVM would conclude that every lane is the leader.
// CUDA programs rely on passing it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Frontend/Frontend.h"

namespace regrain {

/// Takes back what clang says of values that functions take and give and that are loaded:
/// that they are initialised. For a module that nothing was concluded from yet. `kernels`
/// keep it for their arguments, since the host has values for all.
void allowUninitialisedArguments(llvm::Module &module, llvm::ArrayRef<DeviceKernel> kernels);

} // namespace regrain
