/*===- slot_kernels.c - An alternative in a module of its own -----*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "runtime/plugins/cpu/abi.h"

/* Filled in by the runtime with the address of the base module's counter. */
int *counterAddress = 0;

/* Each block adds 1000 for each of its copies that the program's grid has. */
static void countBlock(void *const *args, RegrainCpuBlock *block) {
  uint32_t programBlocks = *(const uint32_t *)args[1];
  for (uint32_t copy = 0; copy < 2; ++copy)
    if (block->blockIdx[0] * 2 + copy < programBlocks)
      __atomic_fetch_add(counterAddress, 1000, __ATOMIC_RELAXED);
}

const RegrainCpuKernel countKernel__grain_block_x2 = {
    REGRAIN_CPU_ABI_VERSION, 0, 0, 0, countBlock, 0};
