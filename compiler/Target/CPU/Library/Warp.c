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

/* All values of a group take the same way, which is found once. */
static REGRAIN_INLINE void shuffle(const RegrainExchange *x, uint32_t wait) {
  uint32_t from[32], values[32];
  uint64_t predicates[32];
  for (uint32_t lane = 0; lane < x->lanes; ++lane) {
    uint64_t source = shuffleSource(wait, lane, x->b[lane], x->c[lane]);
    /* A lane that takes no part provides no value: the reader keeps its own. */
    from[lane] = x->group >> (source & 31) & 1 ? (uint32_t)source & 31 : lane;
    predicates[lane] = source & 1ull << 32;
  }
  for (uint32_t i = 0; i < x->values; ++i) {
    const uint64_t *a = x->a + i * x->stride;
    uint64_t *result = x->result + i * x->stride;
    for (uint32_t lane = 0; lane < x->lanes; ++lane)
      values[lane] = (uint32_t)a[lane];
    for (uint32_t lane = 0; lane < x->lanes; ++lane)
      if (x->group >> lane & 1)
        result[lane] = predicates[lane] | values[from[lane]];
  }
}

static REGRAIN_INLINE uint32_t ballot(const RegrainExchange *x, const uint64_t *a) {
  uint32_t set = 0;
  for (uint32_t lane = 0; lane < x->lanes; ++lane)
    set |= (uint32_t)(a[lane] != 0) << lane;
  return set & x->group;
}

static REGRAIN_INLINE uint32_t equalLanes(const RegrainExchange *x, const uint64_t *a,
                                          uint64_t value) {
  uint32_t set = 0;
  for (uint32_t lane = 0; lane < x->lanes; ++lane)
    set |= (uint32_t)(a[lane] == value) << lane;
  return set & x->group;
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

static REGRAIN_INLINE uint32_t reduce(const RegrainExchange *x, const uint64_t *a) {
  uint32_t first = (uint32_t)__builtin_ctz(x->group);
  uint32_t total = (uint32_t)a[first];
  for (uint32_t lane = first + 1; lane < x->lanes; ++lane)
    if (x->group >> lane & 1)
      total = combine(x->wait, total, (uint32_t)a[lane]);
  return total;
}

static REGRAIN_INLINE uint64_t matchAll(const RegrainExchange *x, const uint64_t *a) {
  int all = equalLanes(x, a, a[__builtin_ctz(x->group)]) == x->group;
  return all ? x->group | 1ull << 32 : 0;
}

/* Returns what every lane of the group gets. */
static REGRAIN_INLINE uint64_t commonResult(const RegrainExchange *x, const uint64_t *a) {
  uint32_t set;
  switch (x->wait) {
  case REGRAIN_VOTE_ALL:
    return ballot(x, a) == x->group;
  case REGRAIN_VOTE_ANY:
    return ballot(x, a) != 0;
  case REGRAIN_VOTE_UNIFORM:
    set = ballot(x, a);
    return set == 0 || set == x->group;
  case REGRAIN_VOTE_BALLOT:
    return ballot(x, a);
  case REGRAIN_MATCH_ALL:
    return matchAll(x, a);
  default:
    return reduce(x, a);
  }
}

static REGRAIN_INLINE void exchangeValue(const RegrainExchange *x, const uint64_t *a,
                                         uint64_t *result) {
  uint64_t common = x->wait == REGRAIN_MATCH_ANY ? 0 : commonResult(x, a);
  for (uint32_t lane = 0; lane < x->lanes; ++lane)
    if (x->group >> lane & 1)
      result[lane] = x->wait == REGRAIN_MATCH_ANY ? equalLanes(x, a, a[lane]) : common;
}

static REGRAIN_INLINE void exchange(const RegrainExchange *x) {
  switch (x->wait) {
  case REGRAIN_WARP_SYNC:
    return;
  case REGRAIN_SHUFFLE_INDEX:
    shuffle(x, REGRAIN_SHUFFLE_INDEX);
    return;
  case REGRAIN_SHUFFLE_UP:
    shuffle(x, REGRAIN_SHUFFLE_UP);
    return;
  case REGRAIN_SHUFFLE_DOWN:
    shuffle(x, REGRAIN_SHUFFLE_DOWN);
    return;
  case REGRAIN_SHUFFLE_XOR:
    shuffle(x, REGRAIN_SHUFFLE_XOR);
    return;
  default:
    for (uint32_t i = 0; i < x->values; ++i)
      exchangeValue(x, x->a + i * x->stride, x->result + i * x->stride);
  }
}

/* For a whole warp there is a copy of the code in which the lanes are constants. */
REGRAIN_INLINE void regrain_exchange_lanes(const RegrainExchange *x) {
  if (x->lanes == 32 && x->group == ~0u) {
    RegrainExchange whole = *x;
    whole.lanes = 32;
    whole.group = ~0u;
    exchange(&whole);
  } else {
    exchange(x);
  }
}
