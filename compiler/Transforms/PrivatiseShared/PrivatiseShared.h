//===- PrivatiseShared.h - A thread's own shared memory ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   if (c) r[tx] = a; barrier; if (d) p[tx] = r[tx]; barrier; b = p[tx] + p[tx + 1]
//     =>  if (c) v = a; barrier; if (d) p[tx] = w = v; barrier; b = w + p[tx + 1]
//
// A place of a shared array that one thread alone writes is kept in a variable of
// that thread as well, and its own loads are given that; where nobody else reads
// the place, the stores are dropped, and an array of which nothing is left with
// them. LLVM puts the variable into a register whatever conditions, loops and
// barriers lie between. What one thread does as several is most of what it gains:
// the copies of joined blocks have an array each.
//
// Legality. All that is done with the array's address is seen: it is only added
// to, cast, loaded from and stored to; no access is volatile or atomic. The
// accesses to the place are at one affine address that is the same in all
// iterations of the loops around them, and of one type. No store of another
// thread, and no store of this thread to another address, may alias one of the
// place's loads. Stores are dropped where no load of another thread, or at
// another address, may alias one of them.
// Threads that differ in nothing that the kernel reads do the same at the same
// places with the same values; each then keeps them for itself. In kernels with
// operations that give such threads different values (atomics, volatile accesses,
// calls, of a warp) they count as different threads.
// What a thread loads before it has stored is indeterminate in CUDA; here it is 0,
// so that it stays one value.
//
// Kept as they are: places whose variables would take more than a budget of
// registers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Gives the threads of `kernel` variables for the shared memory that is their
/// own. Returns the number of variables.
unsigned privatiseShared(grain::KernelOp kernel);

} // namespace regrain
