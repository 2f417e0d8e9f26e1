/*===- planted_work.h - What planted kernels compute --------------*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_TEST_TUNING_PLANTED_WORK_H
#define REGRAIN_TEST_TUNING_PLANTED_WORK_H

#include "runtime/plugins/cpu/abi.h"
#include "test/lib/Tuning/planted.h"

#define KERNEL(NAME)                                                                               \
  static void NAME##_block(void *const *args, RegrainCpuBlock *block);                             \
  const RegrainCpuKernel NAME = {REGRAIN_CPU_ABI_VERSION, 0, 0, 0, NAME##_block, 0};               \
  static void NAME##_block(void *const *args, RegrainCpuBlock *block)

#define ARG(TYPE, INDEX) (*(TYPE const *)args[INDEX])

/* Converts the value after the last step into the result, the bits of a word. `before` is the
   old word. */
typedef uint32_t Finish(uint32_t value, uint32_t before);

/* Does the work of `factor` blocks of the program. Steps are taken `stride` at once, so that the
   result stays and the time decreases. */
static inline void runSteps(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                            uint32_t stride, uint32_t steps, Finish *finish) {
  uint32_t *out = ARG(uint32_t *, 0), n = ARG(uint32_t, 2), threads = block->blockDim[0];
  const uint32_t *in = ARG(const uint32_t *, 1);
  uint32_t multiplier = 1, increment = 0;
  for (uint32_t i = 0; i < stride; ++i) {
    increment = increment * PLANTED_MULTIPLIER + PLANTED_INCREMENT;
    multiplier *= PLANTED_MULTIPLIER;
  }
  uint32_t first = block->blockIdx[0] * factor * threads;
  for (uint32_t i = first; i < first + factor * threads && i < n; ++i) {
    uint32_t value = in[i];
    for (uint32_t step = 0; step < steps; step += stride) {
      value = value * multiplier + increment;
      __asm__ volatile("" : "+r"(value)); /* no step is folded into the next */
    }
    out[i] = finish(value, out[i]);
  }
}

static inline uint32_t asItIs(uint32_t value, uint32_t before) {
  (void)before;
  return value;
}

static inline void run(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                       uint32_t stride) {
  runSteps(args, block, factor, stride, PLANTED_STEPS, asItIs);
}

/* Adds to one word, if the block has it. */
static inline void nudge(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                         uint32_t distance) {
  uint32_t first = block->blockIdx[0] * factor * block->blockDim[0];
  if (PLANTED_WRONG_ELEMENT - first < factor * block->blockDim[0])
    ARG(uint32_t *, 0)[PLANTED_WRONG_ELEMENT] += distance;
}

#endif
