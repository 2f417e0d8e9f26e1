//===- Restrict.h - __restrict__ between threads ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __restrict__ restricts the accesses of one thread: memory that it writes through this pointer it
// does not access through other pointers. Each thread has its own parameter, so another thread may
// write the same memory, and a barrier makes that visible to this thread. LLVM considers one thread
// only: `noalias` lets it forward a value across a barrier or a fence.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Removes `noalias` from pointers through which a function may write, if the function, or one that
/// it calls, may see what other threads wrote. Pointers that are only loaded through keep it:
/// nobody writes what a kernel reads through a restricted pointer while it runs. No pass may have
/// run on the module, and every undefined function in it must belong to the device's library (see
/// reportUnsupported).
void keepRestrictToOneThread(llvm::Module &module);

} // namespace regrain
