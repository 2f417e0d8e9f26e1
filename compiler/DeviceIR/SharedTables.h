//===- SharedTables.h - Constants with addresses of a block -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local array of pointers to shared arrays is initialised from a constant variable:
//
//   __shared__ float a[32], b[32];
//   float *both[] = {a, b};
//
// Each block has its own address of a shared array, so no variable can hold it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Replaces constants of the module that contain addresses of shared variables by local memory of
/// each function that uses them. Returns whether there are any.
bool storeSharedTables(llvm::Module &module);

} // namespace regrain
