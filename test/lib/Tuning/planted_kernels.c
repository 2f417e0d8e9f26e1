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
#include "test/lib/Tuning/planted_work.h"

#include <signal.h>
#include <time.h>

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
KERNEL(starts) { runSlowly(args, block, 1, 250); }
KERNEL(starts_late) {
  static uint32_t blocks = 0;
  runSlowly(args, block, 4, launchesBefore(&blocks, block) ? 50 : 2000);
}

/* Its first launch in a process waits for two seconds, as for memory that moves. */
KERNEL(waits) {
  static uint32_t blocks = 0;
  struct timespec rest = {2, 0};
  if (launchesBefore(&blocks, block) == 0 && block->blockIdx[0] == 0)
    nanosleep(&rest, 0);
  run(args, block, 1, 1);
}
