//===- Restrict.h - __restrict__ between threads ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __restrict__ speaks of what one thread accesses: through other pointers it does not
// touch what is written through this one. Each thread has a parameter of its own, so
// another thread may write the same memory, and a barrier lets this thread see it. LLVM
// knows one thread only: `noalias` lets it forward a value over a barrier or a fence.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain {

/// Takes `noalias` from the pointers through which a function may write, where the
/// function, or one that it calls, may come to see what other threads wrote. Pointers
/// that are only loaded through keep it: what a kernel reads through a restricted pointer
/// nobody writes while it runs. For a module that nothing was concluded from yet, in
/// which every undefined function is one of the device's (see reportUnsupported).
void keepRestrictToOneThread(llvm::Module &module);

} // namespace regrain
