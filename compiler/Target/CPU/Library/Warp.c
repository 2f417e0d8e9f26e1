/*===- Warp.c - Operations between the lanes of a warp ----------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Warp.h"

/* Returns the lane that `lane` reads in a shuffle, with PTX's predicate in bit 32. */
static REGRAIN_INLINE uint64_t shuffleSource(uint32_t wait, uint32_t lane, uint32_t b, uint32_t c) {
  uint32_t segment = c >> 8 & 31, clamp = c & 31;
  uint32_t last = (lane & segment) | (clamp & ~segment);
  uint32_t source;
  int inside;
  b &= 31;
  switch (wait) {
  case REGRAIN_SHUFFLE_UP:
    source = lane - b;
    inside = (int32_t)source >= (int32_t)last;
    break;
  case REGRAIN_SHUFFLE_DOWN:
    source = lane + b;
    inside = source <= last;
    break;
  case REGRAIN_SHUFFLE_XOR:
    source = lane ^ b;
    inside = source <= last;
    break;
  default:
    source = (lane & segment) | (b & ~segment);
    inside = source <= last;
    break;
  }
  return inside ? (uint64_t)source | 1ull << 32 : lane;
}

static REGRAIN_INLINE void shuffle(const RegrainThreads *t, uint32_t base, uint32_t lanes,
                                   uint32_t group, uint32_t wait) {
  uint32_t values[32];
  for (uint32_t lane = 0; lane < lanes; ++lane)
    values[lane] = (uint32_t)t->a[base + lane];
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    if (!(group >> lane & 1))
      continue;
    uint64_t source = shuffleSource(wait, lane, t->b[base + lane], t->c[base + lane]);
    uint32_t from = (uint32_t)source & 31;
    /* A lane that takes no part provides no value: the reader keeps its own. */
    from = group >> from & 1 ? from : lane;
    t->result[base + lane] = (source & 1ull << 32) | values[from];
  }
}

static REGRAIN_INLINE uint32_t ballot(const RegrainThreads *t, uint32_t base, uint32_t lanes,
                                      uint32_t group) {
  uint32_t set = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    set |= (uint32_t)(t->a[base + lane] != 0) << lane;
  return set & group;
}

static REGRAIN_INLINE uint32_t equalLanes(const RegrainThreads *t, uint32_t base, uint32_t lanes,
                                          uint32_t group, uint64_t value) {
  uint32_t set = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    set |= (uint32_t)(t->a[base + lane] == value) << lane;
  return set & group;
}

static REGRAIN_INLINE uint32_t combine(uint32_t wait, uint32_t x, uint32_t y) {
  switch (wait) {
  case REGRAIN_REDUCE_ADD:
    return x + y;
  case REGRAIN_REDUCE_MIN:
    return (int32_t)x < (int32_t)y ? x : y;
  case REGRAIN_REDUCE_MAX:
    return (int32_t)x > (int32_t)y ? x : y;
  case REGRAIN_REDUCE_UMIN:
    return x < y ? x : y;
  case REGRAIN_REDUCE_UMAX:
    return x > y ? x : y;
  case REGRAIN_REDUCE_AND:
    return x & y;
  case REGRAIN_REDUCE_OR:
    return x | y;
  default:
    return x ^ y;
  }
}

static REGRAIN_INLINE uint32_t reduce(const RegrainThreads *t, uint32_t base, uint32_t lanes,
                                      uint32_t group, uint32_t wait) {
  uint32_t first = (uint32_t)__builtin_ctz(group);
  uint32_t total = (uint32_t)t->a[base + first];
  for (uint32_t lane = first + 1; lane < lanes; ++lane)
    if (group >> lane & 1)
      total = combine(wait, total, (uint32_t)t->a[base + lane]);
  return total;
}

/* Gives every lane of `group` the same result. */
static REGRAIN_INLINE void spread(const RegrainThreads *t, uint32_t base, uint32_t lanes,
                                  uint32_t group, uint64_t result) {
  for (uint32_t lane = 0; lane < lanes; ++lane)
    if (group >> lane & 1)
      t->result[base + lane] = result;
}

REGRAIN_INLINE void regrain_exchange_lanes(const RegrainThreads *t, uint32_t base, uint32_t lanes,
                                           uint32_t group, uint32_t wait) {
  switch (wait) {
  case REGRAIN_WARP_SYNC:
    return;
  case REGRAIN_SHUFFLE_INDEX:
  case REGRAIN_SHUFFLE_UP:
  case REGRAIN_SHUFFLE_DOWN:
  case REGRAIN_SHUFFLE_XOR:
    shuffle(t, base, lanes, group, wait);
    return;
  case REGRAIN_VOTE_ALL:
    spread(t, base, lanes, group, ballot(t, base, lanes, group) == group);
    return;
  case REGRAIN_VOTE_ANY:
    spread(t, base, lanes, group, ballot(t, base, lanes, group) != 0);
    return;
  case REGRAIN_VOTE_UNIFORM: {
    uint32_t set = ballot(t, base, lanes, group);
    spread(t, base, lanes, group, set == 0 || set == group);
    return;
  }
  case REGRAIN_VOTE_BALLOT:
    spread(t, base, lanes, group, ballot(t, base, lanes, group));
    return;
  case REGRAIN_MATCH_ANY:
    for (uint32_t lane = 0; lane < lanes; ++lane)
      if (group >> lane & 1)
        t->result[base + lane] = equalLanes(t, base, lanes, group, t->a[base + lane]);
    return;
  case REGRAIN_MATCH_ALL: {
    uint64_t value = t->a[base + (uint32_t)__builtin_ctz(group)];
    int all = equalLanes(t, base, lanes, group, value) == group;
    spread(t, base, lanes, group, all ? group | 1ull << 32 : 0);
    return;
  }
  default:
    spread(t, base, lanes, group, reduce(t, base, lanes, group, wait));
    return;
  }
}
