/*===- States.c - Threads with a state each -------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Arrays are named by their offset: bytes per thread of what lies in front of
|* them in the arena.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Machine.h"

static REGRAIN_INLINE void *array(const RegrainThreads *threads, const RegrainCpuBlock *block,
                                  uint64_t offset) {
  return (char *)block->arena + offset * threads->count;
}

REGRAIN_INLINE void regrain_describe_threads(RegrainThreads *threads, const RegrainCpuBlock *block,
                                             uint64_t a, uint64_t result, uint64_t mask, uint64_t b,
                                             uint64_t c, uint64_t wait) {
  threads->count = block->blockDim[0] * block->blockDim[1] * block->blockDim[2];
  threads->observed = 0;
  threads->a = array(threads, block, a);
  threads->result = array(threads, block, result);
  threads->mask = array(threads, block, mask);
  threads->b = array(threads, block, b);
  threads->c = array(threads, block, c);
  threads->wait = array(threads, block, wait);
  threads->steps = 0;
  for (uint32_t i = 0; i < REGRAIN_BARRIERS; ++i)
    threads->arrivals[i] = 0;
}

/* `steps` is 0 if there are no groups of operations; other arrays lie in front of it. */
REGRAIN_INLINE void regrain_start_states(RegrainThreads *threads, const RegrainCpuBlock *block,
                                         uint64_t states, uint64_t steps) {
  if (steps)
    threads->steps = array(threads, block, steps);
  uint32_t *state = array(threads, block, states);
  for (uint32_t i = 0; i < threads->count; ++i) {
    state[i] = 0;
    threads->wait[i] = REGRAIN_RUNNING;
  }
}

/* A bit for each state in which a thread can run; bit 63 stands for all later states. */
REGRAIN_INLINE uint64_t regrain_states_present(RegrainThreads *threads,
                                               const RegrainCpuBlock *block, uint64_t states) {
  const uint32_t *state = array(threads, block, states);
  uint64_t present = 0;
  for (uint32_t i = 0; i < threads->count; ++i)
    if (threads->wait[i] == REGRAIN_RUNNING)
      present |= 1ull << (state[i] < 63 ? state[i] : 63);
  return present;
}
