/*===- planted_kernels.c - Alternatives that are wrong on purpose -*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Stands for compiled code: kernels of the CPU target, each with the parameters
|* (int *out, const int *in, int n), and alternatives that a tuning run has to find
|* right, wrong, fast or slow.
|*
\*===----------------------------------------------------------------------===*/
#include "runtime/plugins/cpu/abi.h"
#include "test/lib/Tuning/planted.h"

#include <signal.h>
#include <string.h>
#include <time.h>

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
static void runSteps(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
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

static uint32_t asItIs(uint32_t value, uint32_t before) {
  (void)before;
  return value;
}

static void run(void *const *args, const RegrainCpuBlock *block, uint32_t factor, uint32_t stride) {
  runSteps(args, block, factor, stride, PLANTED_STEPS, asItIs);
}

KERNEL(work) { run(args, block, 1, 1); }

KERNEL(work_wrong) {
  run(args, block, 2, 1);
  uint32_t last = (block->blockIdx[0] + 1) * 2 * block->blockDim[0];
  if (PLANTED_WRONG_ELEMENT < last && PLANTED_WRONG_ELEMENT + 2 * block->blockDim[0] >= last)
    ARG(uint32_t *, 0)[PLANTED_WRONG_ELEMENT] ^= 1;
}

KERNEL(work_hangs) {
  (void)args;
  (void)block;
  for (;;)
    __asm__ volatile("pause");
}

KERNEL(work_fast) { run(args, block, 4, 8); }

KERNEL(work_crashes) {
  (void)args;
  (void)block;
  raise(SIGSEGV);
}

KERNEL(work_slow) {
  for (int i = 0; i < 3; ++i)
    run(args, block, 6, 1);
}

KERNEL(work_same) { run(args, block, 7, 1); }

KERNEL(work_beside) {
  run(args, block, 8, 1);
  if (block->blockIdx[0] == 0)
    ARG(uint32_t *, 0)[ARG(uint32_t, 2)] = 1;
}

KERNEL(work_input) {
  run(args, block, 9, 1);
  if (block->blockIdx[0] == 0)
    ARG(uint32_t *, 1)[5] ^= 1;
}

/* Its alternatives lack the wrong ones. */
KERNEL(breaks) { run(args, block, 1, 1); }

KERNEL(noise) { run(args, block, 1, 1); }

/* It may reach memory that no argument points to, as far as is known. */
KERNEL(wanders) { run(args, block, 1, 1); }

/* It does not return a second time. */
static int launchesOf(const RegrainCpuBlock *block, int *launches) {
  return block->blockIdx[0] == 0 ? ++*launches : *launches;
}
KERNEL(once) {
  static int launches;
  if (launchesOf(block, &launches) > 1)
    raise(SIGSEGV);
  run(args, block, 1, 1);
}
KERNEL(mailbox) {
  static int launches;
  if (launchesOf(block, &launches) > 1)
    for (;;)
      __asm__ volatile("");
  run(args, block, 1, 1);
}

/* It stays until the program writes after the result. */
KERNEL(resident) {
  volatile uint32_t *mail = ARG(uint32_t *, 0) + ARG(uint32_t, 2);
  if (block->blockIdx[0] == 0) {
    while (*mail == 0)
      __asm__ volatile("");
    *mail = 0;
  }
  run(args, block, 1, 1);
}

/* Counts the earlier launches of the kernel; `blocks` counts only for it. */
static uint32_t launchesBefore(uint32_t *blocks, const RegrainCpuBlock *block) {
  return __atomic_fetch_add(blocks, 1, __ATOMIC_RELAXED) / block->gridDim[0];
}

/* Takes half or twice the original's time. */
static void runAtPace(void *const *args, const RegrainCpuBlock *block, int isFast) {
  for (int i = 0; i < (isFast ? 1 : 2); ++i)
    run(args, block, 2, isFast ? 2 : 1);
}

/* It is fast in 4 of 7 launches. */
KERNEL(noise_mostly_fast) {
  static uint32_t blocks = 0;
  runAtPace(args, block, launchesBefore(&blocks, block) % 7 < 4);
}

KERNEL(fading) { run(args, block, 1, 1); }

/* It is fast until it has been timed for a while. */
KERNEL(fading_fast) {
  static uint32_t blocks = 0;
  runAtPace(args, block, launchesBefore(&blocks, block) < 60);
}

/* Does the work more often if it was done before, or less often: what is there then is the result
   all the same. */
static void visit(void *const *args, const RegrainCpuBlock *block, uint32_t factor, int fresh,
                  int again) {
  int times = ARG(uint32_t *, 0)[block->blockIdx[0] * factor * block->blockDim[0]] ? again : fresh;
  for (int i = 0; i < times; ++i)
    runSteps(args, block, factor, 1, PLANTED_FEW_STEPS, asItIs);
}

KERNEL(visits) { visit(args, block, 1, 1, 12); }

/* It is slow, but fast on its own result. */
KERNEL(visits_again) { visit(args, block, 2, 12, 1); }

/* It crashes only on the data of a later launch. */
KERNEL(late) { run(args, block, 1, 1); }

KERNEL(late_crashes) {
  if (ARG(const uint32_t *, 1)[0] == PLANTED_LATE_LAUNCH)
    raise(SIGSEGV);
  run(args, block, 4, 8);
}

/* Ends with a number that no other launch ends with: the count is not in memory that the program
   owns. From launch PLANTED_LATE_LAUNCH on, for `unsteady`. */
static void countInto(void *const *args, RegrainCpuBlock *block, uint32_t factor, uint32_t from) {
  static uint32_t tickets = 0;
  run(args, block, factor, factor == 1 ? 1 : 8);
  if (block->blockIdx[0] == 0 && ARG(const uint32_t *, 1)[0] >= from)
    ARG(uint32_t *, 0)[0] = __atomic_add_fetch(&tickets, 1, __ATOMIC_RELAXED);
}

KERNEL(ticket) { countInto(args, block, 1, 0); }
KERNEL(ticket_fast) { countInto(args, block, 4, 0); }
KERNEL(unsteady) { countInto(args, block, 1, PLANTED_LATE_LAUNCH); }
KERNEL(unsteady_fast) { countInto(args, block, 4, PLANTED_LATE_LAUNCH); }

KERNEL(prints) { run(args, block, 1, 1); }
KERNEL(prints_fast) { run(args, block, 4, 8); }

static uint32_t bitsOf(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

/* The product is rounded, then the sum. */
static uint32_t inTwoRoundings(uint32_t value, uint32_t before) {
  float x = PLANTED_NUMBER(value), product = x * x;
  (void)before;
  __asm__ volatile("" : "+x"(product));
  return bitsOf(product + x);
}

/* This is one fused multiply-add: at most 1 ulp away. The product is exact as a double. */
static uint32_t inOneRounding(uint32_t value, uint32_t before) {
  double x = PLANTED_NUMBER(value);
  (void)before;
  return bitsOf((float)(x * x + x));
}

static void roundOnce(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                      uint32_t stride) {
  runSteps(args, block, factor, stride, PLANTED_STEPS, inOneRounding);
}

static void roundTwice(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                       uint32_t stride) {
  runSteps(args, block, factor, stride, PLANTED_STEPS, inTwoRoundings);
}

/* Adds to one word, if the block has it. */
static void nudge(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                  uint32_t distance) {
  uint32_t first = block->blockIdx[0] * factor * block->blockDim[0];
  if (PLANTED_WRONG_ELEMENT - first < factor * block->blockDim[0])
    ARG(uint32_t *, 0)[PLANTED_WRONG_ELEMENT] += distance;
}

/* It is rounded differently when compiled like the alternatives. */
KERNEL(rounds) { roundTwice(args, block, 1, 1); }
KERNEL(rounds_control) { roundOnce(args, block, 1, 1); }
KERNEL(rounds_as_original) { roundTwice(args, block, 2, 1); }
KERNEL(rounds_nearly) {
  roundOnce(args, block, 3, 1);
  nudge(args, block, 3, 1);
}
KERNEL(rounds_fast) { roundOnce(args, block, 4, 8); }
KERNEL(rounds_beside) {
  roundOnce(args, block, 8, 1);
  if (block->blockIdx[0] == 0)
    ARG(uint32_t *, 0)[ARG(uint32_t, 2)] = 1;
}

/* It is the same, but the kernel may also store something else there. */
KERNEL(mixed) { roundTwice(args, block, 1, 1); }

/* It is the same, but memory contains the original's result before. */
KERNEL(settled) { roundTwice(args, block, 1, 1); }

/* It is too far from the original in one element. */
KERNEL(far) { roundTwice(args, block, 1, 1); }
KERNEL(far_control) {
  roundTwice(args, block, 1, 1);
  nudge(args, block, 1, 9);
}
KERNEL(far_fast) {
  roundTwice(args, block, 4, 8);
  nudge(args, block, 4, 9);
}

/* Another compiler rounds otherwise, which is as good; or it is too far in one element. */
KERNEL(vendors) { roundTwice(args, block, 1, 1); }
KERNEL(vendors_fast) {
  roundTwice(args, block, 1, 8);
  nudge(args, block, 1, 40);
}
KERNEL(remote) { roundTwice(args, block, 1, 1); }
KERNEL(remote_fast) {
  roundTwice(args, block, 1, 8);
  nudge(args, block, 1, 900);
}

/* Sums have another order, which is a few ulps away; a grain that has no such sums may not be; or
   they have it where terms cancel. */
KERNEL(sums) { roundTwice(args, block, 1, 1); }
KERNEL(sums_fast) {
  roundTwice(args, block, 1, 8);
  nudge(args, block, 1, 40);
}
KERNEL(sums_copied) {
  roundTwice(args, block, 4, 8);
  nudge(args, block, 4, 40);
}
/* The variants that are offered for it take other sums. */
KERNEL(offers) { roundTwice(args, block, 1, 1); }
KERNEL(cancels) { roundTwice(args, block, 1, 1); }
KERNEL(cancels_fast) {
  roundTwice(args, block, 1, 8);
  nudge(args, block, 1, 65);
}

/* The kernel has integers: an element is wrong by 1. */
KERNEL(counts) { run(args, block, 1, 1); }
KERNEL(counts_control) {
  run(args, block, 1, 1);
  nudge(args, block, 1, 1);
}
KERNEL(counts_fast) {
  run(args, block, 4, 8);
  nudge(args, block, 4, 1);
}

/* On its own result it goes one ulp further, unlike the original. */
static uint32_t inOneRoundingOrFurther(uint32_t value, uint32_t before) {
  return inOneRounding(value, before) + (before != 0);
}
/* It must not run on its own result. */
static uint32_t inOneRoundingOnce(uint32_t value, uint32_t before) {
  uint32_t result = inOneRounding(value, before);
  if (before == result)
    raise(SIGSEGV);
  return result;
}
static void drift(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                  Finish *finish) {
  runSteps(args, block, factor, 1, PLANTED_FEW_STEPS, finish);
}
KERNEL(drifts) { drift(args, block, 1, inTwoRoundings); }
KERNEL(drifts_control) { drift(args, block, 1, inOneRoundingOrFurther); }
KERNEL(drifts_same) { drift(args, block, 2, inOneRoundingOnce); }

/* Takes that many microseconds for each block of the program, however busy the machine is. */
static void runSlowly(void *const *args, const RegrainCpuBlock *block, uint32_t factor,
                      uint32_t microseconds) {
  struct timespec rest = {0, (long)(factor * microseconds) * 1000};
  nanosleep(&rest, 0);
  runSteps(args, block, factor, 1, PLANTED_FEW_STEPS, asItIs);
}

/* A launch takes a third of a second on one thread. */
KERNEL(lasting) { runSlowly(args, block, 1, 10000); }
KERNEL(lasting_same) { runSlowly(args, block, 2, 10000); }
KERNEL(lasting_fast) { runSlowly(args, block, 4, 3000); }
KERNEL(lasting_slow) { runSlowly(args, block, 8, 12000); }
KERNEL(lasting_slower) { runSlowly(args, block, 3, 13000); }
KERNEL(lasting_slowest) { runSlowly(args, block, 5, 14000); }
KERNEL(lasting_fastest) { runSlowly(args, block, 16, 1500); }
KERNEL(lasting_wrong) {
  runSlowly(args, block, 32, 500);
  nudge(args, block, 32, 1);
}

/* The same, with blocks that need not be launched together. */
KERNEL(parted) { runSlowly(args, block, 1, 1000); }
KERNEL(parted_wrong) {
  runSlowly(args, block, 2, 50);
  nudge(args, block, 2, 1);
}
KERNEL(parted_beside) {
  runSlowly(args, block, 3, 50);
  if (block->blockIdx[0] == 0)
    ARG(uint32_t *, 0)[ARG(uint32_t, 2)] = 1;
}
KERNEL(parted_fast) { runSlowly(args, block, 4, 200); }

/* It is fast only where the launch is a part. */
KERNEL(fringe) { runSlowly(args, block, 1, 1000); }
KERNEL(fringe_fast) {
  runSlowly(args, block, 2, block->gridDim[0] == PLANTED_MANY_BLOCKS / 2 ? 2000 : 200);
}

/* Its blocks must be launched together. */
KERNEL(united) {
  if (block->gridDim[0] != PLANTED_MANY_BLOCKS)
    raise(SIGSEGV);
  runSlowly(args, block, 1, 1000);
}
KERNEL(united_fast) {
  if (block->gridDim[0] != PLANTED_MANY_BLOCKS / 4)
    raise(SIGSEGV);
  runSlowly(args, block, 4, 200);
}

/* It takes less time than the original, but much more in the first launch of a process. */
KERNEL(starts) { runSlowly(args, block, 1, 500); }
KERNEL(starts_late) {
  static uint32_t blocks = 0;
  runSlowly(args, block, 4, launchesBefore(&blocks, block) ? 100 : 4000);
}
