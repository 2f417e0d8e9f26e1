/*===- planted_rounding.c - Alternatives that round otherwise -----*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Further kernels beside those of planted_kernels.c, whose results are floats.
|*
\*===----------------------------------------------------------------------===*/
#include "test/lib/Tuning/planted_work.h"

#include <signal.h>
#include <string.h>

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

/* A sum by atomic operations: one element differs by a few ulps from run to run, or by many. The
   vendor's code has another rounding there, and other code must not be taken for right. */
static void waver(void *const *args, const RegrainCpuBlock *block, uint32_t factor, uint32_t stride,
                  uint32_t ulps) {
  static uint32_t runs = 0;
  roundTwice(args, block, factor, stride);
  if (block->blockIdx[0] == 0)
    ARG(uint32_t *, 0)[0] += __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED) % 2 * ulps;
}
KERNEL(wavers) { waver(args, block, 1, 1, PLANTED_WAVER); }
KERNEL(wavers_vendors) {
  waver(args, block, 1, 8, PLANTED_WAVER);
  nudge(args, block, 1, 40);
}
KERNEL(wavers_fast) { waver(args, block, 4, 8, PLANTED_WAVER); }
KERNEL(staggers) { waver(args, block, 1, 1, PLANTED_WAVER); }
KERNEL(staggers_vendors) {
  waver(args, block, 1, 8, PLANTED_WAVER);
  nudge(args, block, 1, 900);
}
/* The variant that is offered for it is as far from it, which the source allows. */
KERNEL(sways) { waver(args, block, 1, 1, PLANTED_WAVER); }
KERNEL(strays) { waver(args, block, 1, 1, PLANTED_WAVER); }
KERNEL(lurches) { waver(args, block, 1, 1, 100 * PLANTED_WAVER); }

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
