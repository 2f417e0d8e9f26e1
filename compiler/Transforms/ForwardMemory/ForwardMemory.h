//===- ForwardMemory.h - Values that memory is known to hold ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   s[tx] = a; barrier; b = s[tx]; barrier; s[tx] = c
//     =>  s[tx] = a; barrier; b = a; barrier; s[tx] = c
//
// A load of what the thread has stored or loaded before is given that value, also
// over barriers and into conditions and loops; a store that nobody can see before
// the same thread stores there anew, or before the end of the block where shared
// memory ends too, is dropped. LLVM does neither over a barrier, nor where it
// cannot tell addresses apart (Access.h).
//
// Legality. The two access the same bytes, as the same type. Nothing that this
// thread does in between writes there (for a store: reads there). Another thread
// of the block can write (read) there in between only in an interval that the
// access is not itself in, or the two race (Intervals.h): at each barrier what
// other threads may write in the interval in front of it is taken into account
// (may read in the interval behind it), and for regions with barriers all that
// stands in them. Atomic and volatile accesses, fences, calls and operations of a
// warp, through which another thread's writes may be seen, end it all.
// Of a loop no iteration may write there, for a value to be known inside it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Removes what it can of the loads and stores of `kernel`. Returns their number.
unsigned forwardMemory(grain::KernelOp kernel);

} // namespace regrain
