//===- regrain_partitions.h - Partitions of groups --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group is partitioned into tiles, whose size is known at compile time or at run time, or by a
// label that lanes share. Parts by label are numbered in the order of their first lanes; of two
// parts by a predicate, the second is the one for which it holds.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_PARTITIONS_H
#define REGRAIN_PARTITIONS_H
#pragma GCC system_header

#include "regrain_large_tiles.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

namespace detail {
/* Computes the masks of parts. */
struct partition {
  __device__ static unsigned int maskOf(const lanes &group) { return group.mask; }

  __device__ static coalesced_group whole(unsigned int mask) { return coalesced_group(mask, 0, 1); }

  template <unsigned int Size, class Parent>
  __device__ static thread_block_tile<Size, Parent> fixedTile() {
    return thread_block_tile<Size, Parent>();
  }

  /* Tiles of several warps are made by all threads of the parent, which meet. */
  template <unsigned int Size, class Parent>
  __device__ static thread_block_tile<Size, Parent> makeTile(const Parent &, choice<false>) {
    return fixedTile<Size, Parent>();
  }
  template <unsigned int Size, class Parent>
  __device__ static thread_block_tile<Size, Parent> makeTile(const Parent &parent, choice<true>) {
    return thread_block_tile<Size, Parent>(collectively(), [&] { parent.sync(); });
  }

  /* Returns, of the lanes in `mask`, the tile of `size` ranks that contains this lane. */
  __device__ static unsigned int tile(unsigned int mask, unsigned int size) {
    unsigned int first = (unsigned int)__popc(mask & below()) / size * size;
    int from = laneOfRank(mask, first), next = laneOfRank(mask, first + size);
    unsigned int own = mask >> from << from;
    return next < 0 ? own : own & ((1u << next) - 1);
  }

  __device__ static coalesced_group tileOf(const coalesced_group &parent, unsigned int size) {
    if (parent.num_threads() <= size)
      return parent;
    return coalesced_group(tile(parent.mask, size), parent.thread_rank() / size,
                           (parent.num_threads() + size - 1) / size);
  }

  __device__ static coalesced_group labeled(unsigned int mask, bool label) {
    return binary(mask, label);
  }
  template <class Label> __device__ static coalesced_group labeled(unsigned int mask, Label label) {
    static_assert(__is_integral(Label) || __is_pointer(Label), "labels are integers or pointers");
    unsigned long long wide = (unsigned long long)label;
    unsigned int own = sizeof(Label) <= 4 ? __match_any_sync(mask, (unsigned int)wide)
                                          : __match_any_sync(mask, wide);
    unsigned int firsts = __ballot_sync(mask, (own & below()) == 0);
    return coalesced_group(own, (unsigned int)__popc(firsts & ((own & -own) - 1)),
                           (unsigned int)__popc(firsts));
  }

  __device__ static coalesced_group binary(unsigned int mask, bool predicate) {
    unsigned int holds = __ballot_sync(mask, predicate);
    unsigned int own = predicate ? holds : mask & ~holds, other = mask & ~own;
    return coalesced_group(own, other && predicate, other ? 2 : 1);
  }
};
} // namespace detail

__device__ inline coalesced_group coalesced_threads() {
  return detail::partition::whole(__activemask());
}

template <unsigned int Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  return detail::partition::makeTile<Size>(parent, detail::choice<(Size > 32)>());
}

/* Makes tiles of adjacent ranks; the last is smaller if `size` does not divide the group. A
   group of at most `size` lanes stays as it is. */
__device__ inline coalesced_group tiled_partition(const coalesced_group &parent,
                                                  unsigned int size) {
  return detail::partition::tileOf(parent, size);
}

template <class Label>
__device__ inline coalesced_group labeled_partition(const coalesced_group &parent, Label label) {
  return detail::partition::labeled(detail::partition::maskOf(parent), label);
}
template <unsigned int Size, class Parent, class Label>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &parent,
                                                    Label label) {
  return detail::partition::labeled(detail::partition::maskOf(parent), label);
}

__device__ inline coalesced_group binary_partition(const coalesced_group &parent, bool predicate) {
  return detail::partition::binary(detail::partition::maskOf(parent), predicate);
}
template <unsigned int Size, class Parent>
__device__ inline coalesced_group binary_partition(const thread_block_tile<Size, Parent> &parent,
                                                   bool predicate) {
  return detail::partition::binary(detail::partition::maskOf(parent), predicate);
}

} // namespace cooperative_groups

#endif

#endif
