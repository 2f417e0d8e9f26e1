//===- DeviceHeap.h - Allocations of the program's own ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's heap has a limit that programs set and ask for by allocating: malloc
// answers null where it is reached. LLVM takes an allocation whose memory nobody uses
// for one that succeeds, and leaves it out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Lets the device's malloc and free be functions like others, of which LLVM knows
/// nothing.
void keepAllocations(llvm::Module &module);

} // namespace regrain
