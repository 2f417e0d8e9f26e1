//===- regrain_grid.h - The grid and clusters as groups ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a cooperative launch meet at a counter in its workspace. One block adds what flips the
// highest bit when all others have added one, so the counter needs no reset.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_GRID_H
#define REGRAIN_GRID_H
#pragma GCC system_header

#include "regrain_lanes.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

namespace detail {
constexpr unsigned int barrierPhase = 0x80000000u;

/* Adds to the counter of a barrier for `parties`; one of them is the first. Returns the counter
   before, by which wait() knows the phase. */
__device__ inline unsigned int arrive(unsigned int *counter, unsigned int parties, bool isFirst) {
  return atomicAdd(counter, isFirst ? barrierPhase - (parties - 1) : 1u);
}
__device__ inline void wait(const unsigned int *counter, unsigned int before) {
  while (((*(const volatile unsigned int *)counter ^ before) & barrierPhase) == 0)
    ;
}

/* This is the layout of NVIDIA's driver; the CPU device has the same one. */
struct gridWorkspace {
  unsigned int bytes, barrier;
};
/* Returns null if the launch is not cooperative. */
__device__ inline gridWorkspace *workspaceOfGrid() {
  unsigned int high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return (gridWorkspace *)((unsigned long long)high << 32 | low);
}
} // namespace detail

class grid_group {
public:
  class arrival_token {
    friend class grid_group;
    unsigned int before; /* in the first thread of a block */
  };

  /* A barrier over the grid ends the kernel if the launch is not cooperative. */
  __device__ void sync() const { barrier_wait(barrier_arrive()); }
  __device__ arrival_token barrier_arrive() const {
    arrival_token token = {};
    __syncthreads();
    if (detail::rankInBlock() == 0) {
      detail::gridWorkspace *workspace = detail::workspaceOfGrid();
      if (!workspace)
        __trap();
      __threadfence();
      token.before =
          detail::arrive(&workspace->barrier, (unsigned int)num_blocks(), block_rank() == 0);
    }
    return token;
  }
  __device__ void barrier_wait(arrival_token &&token) const {
    if (detail::rankInBlock() == 0) {
      detail::wait(&detail::workspaceOfGrid()->barrier, token.before);
      __threadfence();
    }
    __syncthreads();
  }
  /* Returns whether the grid can synchronise. */
  __device__ static bool is_valid() { return detail::workspaceOfGrid() != nullptr; }

  __device__ static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long num_threads() {
    return num_blocks() * detail::threadsOfBlock();
  }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * detail::threadsOfBlock() + detail::rankInBlock();
  }
  __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 dim_blocks() { return group_dim(); }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  __device__ static unsigned long long num_clusters() {
    dim3 clusters = dim_clusters();
    return (unsigned long long)clusters.x * clusters.y * clusters.z;
  }
  __device__ static dim3 cluster_index() { return __clusterIdx(); }
  __device__ static unsigned long long cluster_rank() {
    dim3 index = cluster_index(), clusters = dim_clusters();
    return ((unsigned long long)index.z * clusters.y + index.y) * clusters.x + index.x;
  }
};

__device__ inline grid_group this_grid() { return grid_group(); }

class cluster_group {
public:
  struct arrival_token {};
  __device__ static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  __device__ static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return arrival_token();
  }
  __device__ static void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
  __device__ static void barrier_wait() { __cluster_barrier_wait(); }

  __device__ static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  __device__ static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  __device__ static dim3 dim_blocks() { return __clusterDim(); }
  __device__ static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  __device__ static dim3 thread_index() {
    dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  __device__ static unsigned int thread_rank() {
    return block_rank() * detail::threadsOfBlock() + detail::rankInBlock();
  }
  __device__ static dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  __device__ static unsigned int num_threads() { return num_blocks() * detail::threadsOfBlock(); }
  __device__ static unsigned int size() { return num_threads(); }

  __device__ static unsigned int query_shared_rank(const void *address) {
    return __cluster_query_shared_rank(address);
  }
  template <class T> __device__ static T *map_shared_rank(T *address, int rank) {
    return static_cast<T *>(__cluster_map_shared_rank((const void *)address, (unsigned int)rank));
  }
};

__device__ inline cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#endif

#endif
