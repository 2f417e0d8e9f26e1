/*===- kernels.c - Kernels as the CPU target would emit them ------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Stands for compiled code in tests of the runtime: the tests wrap the shared
|* object in an image.
|*
\*===----------------------------------------------------------------------===*/
#include "runtime/plugins/cpu/abi.h"
#include "runtime/plugins/cpu/device_calls.h"

#include <stddef.h>

#define KERNEL(NAME, SHARED, FIXED, PER_THREAD)                                                    \
  static void NAME##_block(void *const *args, RegrainCpuBlock *block);                             \
  const RegrainCpuKernel NAME = {                                                                  \
      REGRAIN_CPU_ABI_VERSION, SHARED, FIXED, PER_THREAD, NAME##_block, 0};                        \
  static void NAME##_block(void *const *args, RegrainCpuBlock *block)

#define ARG(TYPE, INDEX) (*(TYPE const *)args[INDEX])

int counter = 0;
int table[4] = {1, 2, 3, 4};
int managed[2] = {7, 8};

/* Stores out[i] = i for i < n, and the shape of the launch in how[0..3]. */
static void iotaFrom(void *const *args, const RegrainCpuBlock *block, const uint32_t *programGrid,
                     uint32_t blockFactor, uint32_t firstBlock) {
  int *out = ARG(int *, 0);
  uint32_t *how = ARG(uint32_t *, 1);
  uint32_t n = ARG(uint32_t, 2), threads = block->blockDim[0];
  if (block->blockIdx[0] == 0) {
    how[0] = blockFactor;
    how[1] = block->gridDim[0];
    how[2] = programGrid[0];
    how[3] = block->dynamicSharedBytes;
  }
  for (uint32_t copy = 0; copy < blockFactor; ++copy) {
    uint32_t blockIdx = firstBlock + block->blockIdx[0] * blockFactor + copy;
    if (blockIdx >= programGrid[0])
      return;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      uint32_t i = blockIdx * threads + thread;
      if (i < n)
        out[i] = (int)i;
    }
  }
}

static void iota(void *const *args, const RegrainCpuBlock *block, const uint32_t *programGrid,
                 uint32_t blockFactor) {
  iotaFrom(args, block, programGrid, blockFactor, 0);
}

KERNEL(iotaKernel, 0, 0, 0) { iota(args, block, block->gridDim, 1); }

KERNEL(iotaKernel__grain_block_x4, 0, 0, 0) {
  uint32_t grid[3] = {ARG(uint32_t, 3), ARG(uint32_t, 4), ARG(uint32_t, 5)};
  iota(args, block, grid, 4);
}

/* Writes how[0..3] for the blocks that fill a launched one; it has no edge. */
KERNEL(iotaKernel__grain_block_x4_remainder, 0, 0, 0) {
  uint32_t grid[3] = {ARG(uint32_t, 3), ARG(uint32_t, 4), ARG(uint32_t, 5)};
  if ((block->blockIdx[0] + 1) * 4 > grid[0])
    regrain_cpu_trap(0);
  iota(args, block, grid, 4);
}

/* Writes how[4..7] for the remaining blocks. */
KERNEL(iotaKernel__grain_block_x4_remainder__rest, 0, 0, 0) {
  uint32_t grid[3] = {ARG(uint32_t, 3), ARG(uint32_t, 4), ARG(uint32_t, 5)};
  uint32_t *how = ARG(uint32_t *, 1) + 4;
  void *moved[3] = {args[0], &how, args[2]};
  iotaFrom(moved, block, grid, 1, ARG(uint32_t, 6));
}

/* Each thread has twice the work: blockDim is half of the program's. */
KERNEL(iotaKernel__grain_thread_x2, 0, 0, 0) {
  RegrainCpuBlock program = *block;
  program.blockDim[0] *= 2;
  iota(args, &program, block->gridDim, 1);
  if (block->blockIdx[0] == 0)
    ARG(uint32_t *, 1)[0] = 102;
}

/* Reverses each block through shared memory and the arena. */
KERNEL(reverseKernel, 64, 128, 8) {
  int *data = ARG(int *, 0);
  uint32_t threads = block->blockDim[0];
  int *shared = (int *)((char *)block->shared + 128); /* the dynamic part */
  int *arena = (int *)((char *)block->arena + 128);
  if (((uintptr_t)block->shared & 127) || ((uintptr_t)block->arena & 63))
    regrain_cpu_trap(0);
  for (uint32_t thread = 0; thread < threads; ++thread)
    shared[thread] = data[block->blockIdx[0] * threads + thread];
  for (uint32_t thread = 0; thread < threads; ++thread)
    arena[2 * thread] = shared[threads - 1 - thread];
  for (uint32_t thread = 0; thread < threads; ++thread)
    data[block->blockIdx[0] * threads + thread] = arena[2 * thread];
}

/* Marks each block of a 3-D grid. */
KERNEL(gridKernel, 0, 0, 0) {
  uint32_t *out = ARG(uint32_t *, 0);
  const uint32_t *index = block->blockIdx, *size = block->gridDim;
  __atomic_fetch_add(&out[(index[2] * size[1] + index[1]) * size[0] + index[0]], 1,
                     __ATOMIC_RELAXED);
}

KERNEL(countKernel, 0, 0, 0) { __atomic_fetch_add(&counter, table[ARG(int, 0)], __ATOMIC_RELAXED); }

/* Waits until *flag is set, then sets *done. */
KERNEL(waitKernel, 0, 0, 0) {
  volatile int *flag = ARG(volatile int *, 0);
  while (!*flag)
    __builtin_ia32_pause();
  *ARG(volatile int *, 1) = 1;
}

KERNEL(trapKernel, 0, 0, 0) { regrain_cpu_trap(0); }

KERNEL(assertKernel, 0, 0, 0) { regrain_cpu_assertfail("x > 0", "k.cu", 7, "void k()", 1); }

KERNEL(printKernel, 0, 0, 0) {
  struct {
    int whole;
    double fraction;
    const char *text;
  } packed = {42, 0.5, "word"};
  regrain_cpu_vprintf("%d %.2f %s\n", &packed);
}

/* Needs more memory per thread than any machine has. */
KERNEL(hungryKernel, 0, 0, (uint64_t)1 << 52) {}

KERNEL(bigSharedKernel, 40 << 10, 0, 0) {}

const RegrainCpuKernel wrongVersionKernel = {
    REGRAIN_CPU_ABI_VERSION + 1, 0, 0, 0, trapKernel_block, 0};
