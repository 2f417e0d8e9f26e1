//===- AtomicScopes.h - CUDA's atomic functions told apart ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names in clang's own header are what tells them apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Gives what clang's header makes of CUDA's atomic functions `deviceScope`
/// (DeviceScope.h). What the program orders itself (__atomic_*,
/// __scoped_atomic_*, __sync_*) has none.
void markDeviceAtomics(llvm::Module &module);

} // namespace regrain
