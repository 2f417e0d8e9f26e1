//===- regrain_declared_memory.h - Memory of other allocators ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries that are Regrain's own. A library that launches kernels on memory which another allocator
// manages may declare the memory before a launch, and tuning then knows what the launch reaches: on
// the CPU no memory of the host has an extent otherwise, and on a GPU the extent is all that the
// allocator got at once.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_DECLARED_MEMORY_H
#define REGRAIN_DECLARED_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Promises for launches of the calling thread, until it withdraws the promise: with a pointer into
    [begin, begin + bytes) a kernel accesses nothing outside of it, and nobody else writes there
    until the launch has ended. The program behaves the same without it, but is tuned less. Memory
    is withdrawn before it is freed. */
void regrain_declare_memory(const void *begin, size_t bytes);

/** Withdraws the calling thread's last promise of this range; does nothing if there is none. */
void regrain_withdraw_memory(const void *begin, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
