//===- PrivatiseShared.h - A thread's own shared memory ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (c) r[tx] = a; barrier; if (d) p[tx] = r[tx]; barrier; b = p[tx] + p[tx + 1]
//     =>  if (c) v = a; barrier; if (d) p[tx] = w = v; barrier; b = w + p[tx + 1]
//
// A place of a shared array that only one thread writes is also kept in a variable of that thread,
// and the thread's own loads use the variable. If nobody else reads the place, the stores are
// dropped, and so is an array that is left without accesses. LLVM puts the variable into a register
// whatever conditions, loops and barriers lie in between. This gains most where one thread runs the
// work of several: the copies of joined blocks have an array each.
//
// Legality. All uses of the array's address are known: it is only added to, cast, loaded from and
// stored to, and no access is volatile or atomic. The accesses to the place have one type and one
// affine address that is the same in all iterations of the loops around them. No store of another
// thread, and no store of this thread to another address, may alias one of the place's loads.
// Stores are dropped if no load of another thread, or of another address, may alias one of them.
// Threads that differ in nothing that the kernel reads access the same places with the same values;
// each of them then keeps a variable of its own. In kernels with operations that give such threads
// different values (atomics, volatile accesses, calls, warp operations) they count as different
// threads. A load before the first store of the thread is indeterminate in CUDA. Here it gives 0,
// so that it stays one value.
//
// A place keeps its form if its variable would exceed the budget of registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Gives the threads of `kernel` variables for their own shared memory. Returns the number of
/// variables.
unsigned privatiseShared(grain::KernelOp kernel);

} // namespace regrain
