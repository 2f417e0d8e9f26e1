//===- DeviceHeap.h - Keep the program's allocations ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's heap has a limit, which programs set and probe by allocating: malloc returns null
// when it is reached. LLVM assumes that an allocation whose memory is not used succeeds, and
// removes it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Makes the device's malloc and free ordinary functions, of which LLVM knows nothing.
void keepAllocations(llvm::Module &module);

} // namespace regrain
