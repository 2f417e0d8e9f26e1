//===- AsyncCopies.h - Tiles filled by asynchronous copies ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = load, ptr %from, !invariant.load    =>   call @llvm.nvvm.cp.async.*(ptr addrspace(3) %to,
//   store %x, ptr addrspace(3) %to                                           ptr addrspace(1)
//   %from)
//   ...                                           ...
//   barrier                                       call @llvm.nvvm.cp.async.wait.all()
//                                                 barrier
//
// The copy takes no register, and a thread starts all of its copies before the first has ended.
//
// Legality.
// - The load is invariant and the store is the only use of its value, in the same basic block: so
//   the memory has the same contents when the copy reads it. Load and store are neither volatile
//   nor atomic, and aligned to their 4, 8 or 16 bytes.
// - The store is to a tile that staging has made (stagedName), which is filled once, or to an array
//   of several tiles (ringName), of which loads before the next barrier read another one. Tiles are
//   filled from global memory.
// - On every path from a copy, the wait comes before the first instruction that may see the tile:
//   anything that touches memory, except other copies into tiles (BulkCopies.h too), invariant
//   loads, loads from an array of several tiles, and accesses that name another address space than
//   that of shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::nvptx {

/// Makes the copies into tiles asynchronous, for chips of compute capability 8.0 or newer.
void copyAsynchronously(llvm::Module &module, unsigned capability);

} // namespace regrain::nvptx
