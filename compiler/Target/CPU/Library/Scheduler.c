/*===- Scheduler.c - Releasing threads that wait ----------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The rules are the hardware's: a block barrier releases when all threads that
|* have not exited have arrived (or as many as it names); a warp operation when
|* all lanes of its mask that have not exited wait at the same kind of operation
|* with the same mask, wherever in the program each of them stands. A vote without
|* a mask is of the lanes that stand at one place. Steps release the lanes of a
|* warp that stand at the first place among those at which its lanes step, so that
|* lanes that took a branch or stay in a loop catch up with the others.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Warp.h"

static int isBarrier(uint32_t wait) {
  return wait >= REGRAIN_BARRIER && wait <= REGRAIN_BARRIER_COUNT;
}

static uint32_t lanesOfWarp(const RegrainThreads *t, uint32_t base) {
  return t->count - base < 32 ? t->count - base : 32;
}

/* How often a lane waits at a step for lanes behind it, which may wait for this lane in a loop. */
#define REGRAIN_PATIENCE 1024

static int isStep(const RegrainThreads *t, uint32_t i) {
  return t->wait[i] == REGRAIN_WARP_SYNC && !t->mask[i];
}

/* Returns the lanes of a warp that go on waiting at a step. */
static uint32_t lanesAhead(const RegrainThreads *t, uint32_t base) {
  uint32_t lanes = lanesOfWarp(t, base), first = ~0u, ahead = 0;
  for (uint32_t i = base; i < base + lanes; ++i)
    if (isStep(t, i) && t->b[i] < first)
      first = t->b[i];
  for (uint32_t i = base; i < base + lanes; ++i)
    if (isStep(t, i) && t->b[i] > first && ++t->c[i] < REGRAIN_PATIENCE)
      ahead |= 1u << (i - base);
  return ahead;
}

/* Returns whether two waiting lanes take part in the same operation. */
static int waitTogether(const RegrainThreads *t, uint32_t first, uint32_t second) {
  uint32_t wait = t->wait[first], mask = t->mask[first];
  int hasPlace = !mask && (wait == REGRAIN_WARP_SYNC ||
                           (wait >= REGRAIN_VOTE_ALL && wait <= REGRAIN_VOTE_BALLOT));
  return t->wait[second] == wait && t->mask[second] == mask &&
         (!hasPlace || t->b[second] == t->b[first]);
}

/* Tells the plugin that memory is ordered between the lanes of `group`. */
static void meetLanes(uint32_t base, uint32_t group) {
  for (int isFirst = 1; group; group &= group - 1, isFirst = 0)
    regrain_cpu_meet(base + (uint32_t)__builtin_ctz(group), isFirst);
}

static RegrainExchange exchangeOf(const RegrainThreads *t, uint32_t base, uint32_t wait,
                                  uint32_t group, uint32_t values) {
  return (RegrainExchange){.wait = wait,
                           .lanes = lanesOfWarp(t, base),
                           .group = group,
                           .values = values,
                           .stride = t->count,
                           .a = t->a + base,
                           .b = t->b + base,
                           .c = t->c + base,
                           .result = t->result + base};
}

/* One copy of the code for all kinds. */
static __attribute__((noinline)) void exchangeAnyKind(const RegrainExchange *exchange) {
  regrain_exchange_lanes(exchange);
}

/* Carries out the next operation of each lane's group of operations. Lanes may have come different
   ways, so that they stand at different operations of different groups. */
static void exchangeStep(const RegrainThreads *t, uint32_t base, uint32_t group, uint32_t wait) {
  uint64_t a[32] = {0}, result[32];
  RegrainExchange exchange = exchangeOf(t, base, wait, group, 1);
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane)
    if (group >> lane & 1)
      a[lane] = exchange.a[REGRAIN_STEP_DONE(t->steps[base + lane]) * exchange.stride + lane];
  uint64_t *results = exchange.result;
  exchange.a = a;
  exchange.result = result;
  exchangeAnyKind(&exchange);
  for (uint32_t lane = 0; lane < exchange.lanes; ++lane)
    if (group >> lane & 1)
      results[REGRAIN_STEP_DONE(t->steps[base + lane]) * exchange.stride + lane] = result[lane];
}

/* Carries out `wait` for lanes that meet and releases those that have no further operation in their
   group. The others keep waiting, as if each operation stood alone. */
static void releaseLanes(RegrainThreads *t, uint32_t base, uint32_t group, uint32_t wait) {
  uint32_t first = base + (uint32_t)__builtin_ctz(group), steps = 0, same = 1;
  int inGroups = t->steps && wait > REGRAIN_WARP_SYNC;
  if (inGroups) {
    steps = t->steps[first];
    for (uint32_t lanes = group; lanes; lanes &= lanes - 1)
      same &= t->steps[base + (uint32_t)__builtin_ctz(lanes)] == steps;
  }
  if (!same) {
    exchangeStep(t, base, group, wait);
  } else {
    uint32_t done = inGroups ? REGRAIN_STEP_DONE(steps) : 0;
    uint32_t values = inGroups ? REGRAIN_STEP_VALUES(steps) - done : 1;
    RegrainExchange exchange = exchangeOf(t, base, wait, group, values);
    exchange.a += done * exchange.stride;
    exchange.result += done * exchange.stride;
    exchangeAnyKind(&exchange);
  }
  for (uint32_t lanes = group; lanes; lanes &= lanes - 1) {
    uint32_t i = base + (uint32_t)__builtin_ctz(lanes);
    if (!same)
      t->steps[i] += REGRAIN_STEPS(0, 1);
    if (same || REGRAIN_STEP_DONE(t->steps[i]) == REGRAIN_STEP_VALUES(t->steps[i]))
      t->wait[i] = REGRAIN_RUNNING;
  }
}

static int releaseWarp(RegrainThreads *t, uint32_t base) {
  uint32_t lanes = lanesOfWarp(t, base), live = 0, pending = 0;
  int released = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t wait = t->wait[base + lane];
    live |= (uint32_t)(wait != REGRAIN_EXITED) << lane;
    pending |= (uint32_t)(wait >= REGRAIN_WARP_SYNC) << lane;
  }
  pending &= ~lanesAhead(t, base);
  while (pending) {
    uint32_t first = base + (uint32_t)__builtin_ctz(pending);
    uint32_t wait = t->wait[first], mask = t->mask[first], group = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane)
      group |= (uint32_t)waitTogether(t, first, base + lane) << lane;
    pending &= ~group;
    if (mask & live & ~group)
      continue;
    releaseLanes(t, base, group, wait);
    if (t->observed && wait == REGRAIN_WARP_SYNC && mask)
      meetLanes(base, group);
    released = 1;
  }
  return released;
}

/* Returns the result of a barrier that reduces a predicate over the threads that wait at it. */
static uint64_t barrierResult(const RegrainThreads *t, uint32_t id) {
  uint32_t waiting = 0, set = 0, kind = REGRAIN_BARRIER;
  for (uint32_t i = 0; i < t->count; ++i)
    if (isBarrier(t->wait[i]) && t->b[i] == id) {
      kind = t->wait[i];
      ++waiting;
      set += t->a[i] != 0;
    }
  if (kind == REGRAIN_BARRIER_AND)
    return set == waiting;
  return kind == REGRAIN_BARRIER_OR ? set != 0 : set;
}

static void releaseBarrier(RegrainThreads *t, uint32_t id) {
  uint64_t result = barrierResult(t, id);
  t->arrivals[id] = 0;
  int isFirst = 1;
  for (uint32_t i = 0; i < t->count; ++i)
    if (isBarrier(t->wait[i]) && t->b[i] == id) {
      if (t->observed)
        regrain_cpu_meet(i, isFirst);
      isFirst = 0;
      t->result[i] = result;
      t->wait[i] = REGRAIN_RUNNING;
    }
}

static int releaseBarriers(RegrainThreads *t) {
  uint32_t waiting[REGRAIN_BARRIERS] = {0}, expected[REGRAIN_BARRIERS] = {0}, alive = 0;
  int released = 0;
  for (uint32_t i = 0; i < t->count; ++i) {
    alive += t->wait[i] != REGRAIN_EXITED;
    if (!isBarrier(t->wait[i]))
      continue;
    /* A count is in whole warps, so the missing lanes of the last warp count. */
    if (t->c[i] && i + 1 == t->count)
      waiting[t->b[i]] += (32 - t->count % 32) % 32;
    waiting[t->b[i]] += 1;
    expected[t->b[i]] = t->c[i];
  }
  for (uint32_t id = 0; id < REGRAIN_BARRIERS; ++id)
    if (waiting[id] && waiting[id] + t->arrivals[id] >= (expected[id] ? expected[id] : alive)) {
      releaseBarrier(t, id);
      released = 1;
    }
  return released;
}

static int releaseYielded(RegrainThreads *t, int *alive) {
  int released = 0;
  for (uint32_t i = 0; i < t->count; ++i) {
    *alive |= t->wait[i] != REGRAIN_EXITED;
    if (t->wait[i] == REGRAIN_YIELDED) {
      t->wait[i] = REGRAIN_RUNNING;
      released = 1;
    }
  }
  return released;
}

int regrain_release(RegrainThreads *t) {
  int released = 0, alive = 0;
  for (uint32_t base = 0; base < t->count; base += 32)
    released |= releaseWarp(t, base);
  released |= releaseBarriers(t);
  int yielded = releaseYielded(t, &alive);
  if (!released && yielded)
    regrain_cpu_pause();
  if (!released && !yielded && alive)
    regrain_cpu_trap("the threads of a block wait for each other: a barrier or a warp "
                     "operation is not reached by all threads that it names");
  return alive;
}

/* Gives all threads of the block the result of a barrier. */
static void exchangeAtBarrier(RegrainThreads *t, uint32_t wait) {
  uint32_t set = 0;
  for (uint32_t i = 0; i < t->count; ++i)
    set += t->a[i] != 0;
  uint64_t result = wait == REGRAIN_BARRIER_AND  ? set == t->count
                    : wait == REGRAIN_BARRIER_OR ? set != 0
                                                 : set;
  for (uint32_t i = 0; i < t->count; ++i)
    t->result[i] = result;
}

REGRAIN_INLINE void regrain_exchange(RegrainThreads *t, uint32_t wait, uint32_t values) {
  if (isBarrier(wait)) {
    exchangeAtBarrier(t, wait);
    return;
  }
  for (uint32_t base = 0; base < t->count; base += 32) {
    uint32_t lanes = lanesOfWarp(t, base);
    uint32_t existing = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (uint32_t pending = existing; pending;) {
      uint32_t mask = t->mask[base + (uint32_t)__builtin_ctz(pending)], group = 0;
      for (uint32_t lane = 0; lane < lanes; ++lane)
        group |= (uint32_t)(t->mask[base + lane] == mask) << lane;
      pending &= ~group;
      /* A mask that all lanes name may leave out some of them; they get no result. */
      if (group == existing && mask)
        group &= mask;
      RegrainExchange exchange = exchangeOf(t, base, wait, group, values);
      if (group)
        regrain_exchange_lanes(&exchange);
    }
  }
}
