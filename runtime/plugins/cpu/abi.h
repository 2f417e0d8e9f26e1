/*===- abi.h - Contract between CPU code and the CPU plugin -------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The compiler's CPU target emits one shared object per image. For each kernel
|* and alternative it exports a constant `RegrainCpuKernel` under the entry's
|* symbol. The plugin calls `runBlock` once per block, from any worker.
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_PLUGINS_CPU_ABI_H
#define REGRAIN_PLUGINS_CPU_ABI_H

#include <stdint.h>

/* The plugin also runs code of earlier versions, from REGRAIN_CPU_OLDEST_ABI_VERSION on. Version 4
   added RegrainCpuBlock::threadIdx. */
#define REGRAIN_CPU_ABI_VERSION 4
#define REGRAIN_CPU_OLDEST_ABI_VERSION 3

/* In RegrainCpuBlock::threadIdx: not known. */
#define REGRAIN_CPU_ANY_THREAD UINT32_MAX

/* The state of one block while it runs; a worker owns it and reuses it for each block. */
typedef struct RegrainCpuBlock {
  uint32_t gridDim[3];  /* of the launch, in launched blocks */
  uint32_t blockDim[3]; /* of the launch, in launched threads */
  uint32_t blockIdx[3];
  uint32_t dynamicSharedBytes;
  uint32_t staticSharedBytes; /* parameters of the kernel, padded to 128 bytes */
  /* The shared memory of the block: the static part, then the dynamic part. It is 128-byte
     aligned; its contents are undefined at entry, as on a GPU. */
  void *shared;
  /* Memory for values that live across barriers and for continuation frames: arenaFixedBytes +
     arenaBytesPerThread * threads, 64-byte aligned. */
  void *arena;
  /* The coordinates of the thread that runs, for messages about faults. The plugin sets them to
     REGRAIN_CPU_ANY_THREAD before each block; the code stores what it knows: all three in
     continuations and before a call that ends the launch, y and z in loops over threads. */
  uint32_t threadIdx[3];
} RegrainCpuBlock;

typedef struct RegrainCpuKernel {
  uint32_t abiVersion;
  uint32_t staticSharedBytes;
  uint64_t arenaFixedBytes;
  uint64_t arenaBytesPerThread;
  /* args[i] points to the i-th parameter, as in cudaLaunchKernel. */
  void (*runBlock)(void *const *args, RegrainCpuBlock *block);
  /* Nonzero if a block may wait for another block, another launch or the host: a block that has
     begun must then not keep others from running. */
  uint32_t mayWait;
} RegrainCpuKernel;

#endif
