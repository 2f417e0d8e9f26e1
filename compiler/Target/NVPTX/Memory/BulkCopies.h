//===- BulkCopies.h - Rows of tiles copied at once --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   memcpy(tile, row, 512)   =>   mbarrier.expect_tx [counter], 512
//                                 cp.async.bulk [tile], [row], 512, [counter]
//   ...                           ...
//   barrier                       barrier
//                                 if (thread == 0) mbarrier.arrive [counter]
//                                 while (!mbarrier.try_wait.parity [counter], phase & 1) {}
//                                 ++phase
//
// The counter is one word in shared memory. The first thread makes it when the kernel begins, and a
// barrier follows. A phase of the counter ends when that thread has arrived, and all bytes that
// were expected have been copied.
//
// If threads read what is copied by N barriers later (aheadInfix), N counters take turns, and
// threads wait behind a barrier for the phase that is N - 1 barriers older; behind the first
// barriers, for the first phase. That needs one barrier at which all threads wait, in a loop, and
// otherwise N is taken for 1.
//
// Legality.
// - The array is one whose name says so (bulkSuffix). Addresses and sizes are multiples of 16, and
//   nobody writes what is copied while the kernel runs. Threads read the copy behind the next
//   barrier; until then, other bytes of the array may be written and read.
// - Behind each copy comes a barrier at which all threads of the block meet, and behind which they
//   read the array. All wait behind such barriers to which a path leads from a copy, without
//   another barrier. They come there also if no thread has copied: then the phase ends at once.
//   Barriers of the program, which some threads may not reach any more, are left alone.
// - A thread expects its bytes before it comes to that barrier, and the first thread arrives behind
//   it. So no phase ends before all of its bytes are expected.
// - A phase ends behind the next barrier, at which all threads have seen the end of the one before.
//   So the parity of a phase tells it from all that a thread may still wait for. With N counters,
//   that holds of the phases of each counter, which are N barriers apart.
// - What threads may have written into the array by themselves is ordered before copies that come
//   later by a fence in front of these. It costs as much as waiting for all copies of elements.
//   Reads need none.
//
// Where the block is one warp, whose barriers are the warp's (WarpBarriers.h), and on chips before
// compute capability 9.0, a copy is a loop of accesses of 16 bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes loops of copies of whole rows for which chips of this capability have no instruction. Call
/// it before the pass that makes copies of elements asynchronous.
void expandBulkCopies(llvm::Module &module, unsigned capability);

/// Makes instructions of the other ones.
void copyInBulk(llvm::Module &module);

} // namespace regrain::nvptx
