//===- ThreadExit.h - The PTX instruction exit ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction "exit" as inline assembly ends the thread, from wherever it is. Targets without
// PTX end a thread only by a return from the kernel.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Inlines the functions that contain inline assembly "exit;" into the kernels that call them, and
/// makes each such assembly a return. The assembly stays in a function that is recursive or whose
/// address is taken.
void returnAtExits(llvm::Module &module);

} // namespace regrain
