//===- AtomicScopes.h - Tell CUDA's atomic functions apart ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names in clang's own header tell them apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Gives the scope `deviceScope` (DeviceScope.h) to what clang's header makes of CUDA's atomic
/// functions. Operations that the program orders itself (__atomic_*, __scoped_atomic_*, __sync_*)
/// get no scope.
void markDeviceAtomics(llvm::Module &module);

} // namespace regrain
