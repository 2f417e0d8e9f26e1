//===- cooperative_groups.h - Groups of threads -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups are the grid, blocks, tiles, the lanes that are active now, and the parts into which
// these are divided. Groups of several devices are declared, so that their use is one error that
// names them.
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)

#include "cooperative_groups/regrain_partitions.h"

namespace cooperative_groups {

#define REGRAIN_UNSUPPORTED(WHAT) __attribute__((unavailable(WHAT " are not supported")))

class thread_block {
public:
  struct arrival_token {};
  __device__ static void sync() { __syncthreads(); }
  /* Arriving may be deferred to the wait, because nothing else waits for it. */
  __device__ static arrival_token barrier_arrive() { return arrival_token(); }
  __device__ static void barrier_wait(arrival_token &&) { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return detail::rankInBlock(); }
  __device__ static unsigned int num_threads() { return detail::threadsOfBlock(); }
  __device__ static unsigned int size() { return num_threads(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return group_dim(); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

/* The shared memory that tiles of several warps need in CUDA, which the program provides. */
template <unsigned int Threads> struct block_tile_memory {};
template <unsigned int Threads>
__device__ inline thread_block this_thread_block(block_tile_memory<Threads> &) {
  return thread_block();
}

__device__ inline thread_block_tile<1> this_thread() {
  return detail::partition::fixedTile<1, void>();
}

class multi_grid_group {
public:
  __device__ void sync() const;
  __device__ bool is_valid() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned int grid_rank() const;
  __device__ unsigned int num_grids() const;
};

REGRAIN_UNSUPPORTED("groups of several devices") __device__ multi_grid_group this_multi_grid();

/* A block or a set of lanes of a warp, chosen at run time. */
class thread_group {
public:
  __device__ thread_group(const thread_block &) : isBlock(true), mask(~0u) {}
  __device__ thread_group(const lanes &group)
      : isBlock(false), mask(detail::partition::maskOf(group)) {}

  __device__ void sync() const {
    if (isBlock)
      __syncthreads();
    else
      __syncwarp(mask);
  }
  __device__ unsigned long long thread_rank() const {
    return isBlock ? detail::rankInBlock() : (unsigned int)__popc(mask & detail::below());
  }
  __device__ unsigned long long num_threads() const {
    return isBlock ? detail::threadsOfBlock() : (unsigned int)__popc(mask);
  }
  __device__ unsigned long long size() const { return num_threads(); }
  __device__ bool is_valid() const { return true; }

private:
  friend __device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
  bool isBlock;
  unsigned int mask; /* for a block, the lanes of a warp */
};

/* Each tile of a block lies in one warp: a size that does not divide 32 ends the kernel. */
__device__ inline thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  if (size == 0 || (parent.isBlock && 32 % size != 0))
    __trap();
  return detail::partition::whole(detail::partition::tile(parent.mask, size));
}

template <class Group> __device__ inline void sync(const Group &group) { group.sync(); }
template <class Group>
__device__ inline auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
__device__ inline auto group_size(const Group &group) -> decltype(group.size()) {
  return group.size();
}

/* One thread of the group calls `function`. CUDA leaves open which one; here it is the first. */
template <class Group, class Function, class... Arguments>
__device__ inline void invoke_one(const Group &group, Function &&call, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    static_cast<Function &&>(call)(static_cast<Arguments &&>(arguments)...);
}
/* All lanes of a tile or coalesced group get the result of the call. */
template <class Group, class Function, class... Arguments>
__device__ inline auto invoke_one_broadcast(const Group &group, Function &&call,
                                            Arguments &&...arguments)
    -> __decay(decltype(call(static_cast<Arguments &&>(arguments)...))) {
  __decay(decltype(call(static_cast<Arguments &&>(arguments)...))) result{};
  if (group.thread_rank() == 0)
    result = static_cast<Function &&>(call)(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

#undef REGRAIN_UNSUPPORTED

} // namespace cooperative_groups

#endif

#endif
