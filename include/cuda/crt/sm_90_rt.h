//===- sm_90_rt.h - Clusters of blocks --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's __clang_cuda_intrinsics.h defines these for sm_90 and newer. The code for CPUs and AMD
// GPUs is compiled for an older architecture. A launch without clusters has clusters of one block.
//
//===----------------------------------------------------------------------===//
#ifndef __SM_90_RT_H__
#define __SM_90_RT_H__
#pragma GCC system_header

#include "host_defines.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900

#define REGRAIN_CLUSTER_REGISTER(RESULT, NAME) asm("mov.u32 %0, %%" NAME ";" : "=r"(RESULT))
#define REGRAIN_CLUSTER_NUMBER(FUNCTION, NAME)                                                     \
  __device__ static inline unsigned int FUNCTION() {                                               \
    unsigned int number;                                                                           \
    REGRAIN_CLUSTER_REGISTER(number, NAME);                                                        \
    return number;                                                                                 \
  }
#define REGRAIN_CLUSTER_EXTENT(FUNCTION, NAME)                                                     \
  __device__ static inline dim3 FUNCTION() {                                                       \
    dim3 extent;                                                                                   \
    REGRAIN_CLUSTER_REGISTER(extent.x, NAME ".x");                                                 \
    REGRAIN_CLUSTER_REGISTER(extent.y, NAME ".y");                                                 \
    REGRAIN_CLUSTER_REGISTER(extent.z, NAME ".z");                                                 \
    return extent;                                                                                 \
  }

REGRAIN_CLUSTER_EXTENT(__clusterDim, "cluster_nctaid")
REGRAIN_CLUSTER_EXTENT(__clusterRelativeBlockIdx, "cluster_ctaid")
REGRAIN_CLUSTER_EXTENT(__clusterGridDimInClusters, "nclusterid")
REGRAIN_CLUSTER_EXTENT(__clusterIdx, "clusterid")
REGRAIN_CLUSTER_NUMBER(__clusterRelativeBlockRank, "cluster_ctarank")
REGRAIN_CLUSTER_NUMBER(__clusterSizeInBlocks, "cluster_nctarank")

__device__ static inline unsigned int __clusterDimIsSpecified() {
  unsigned int is;
  asm("{.reg .pred p;\n\tmov.pred p, %%is_explicit_cluster;\n\tselp.u32 %0, 1, 0, p;}" : "=r"(is));
  return is;
}

/* Returns the address of the variable at `pointer` in the block of that rank. */
__device__ static inline void *__cluster_map_shared_rank(const void *pointer, unsigned int rank) {
  void *mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(pointer), "r"(rank));
  return mapped;
}
/* Returns the rank of the block in whose shared memory the address is. */
__device__ static inline unsigned int __cluster_query_shared_rank(const void *pointer) {
  unsigned int rank;
  asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(pointer));
  return rank;
}
__device__ static inline unsigned int __isCtaShared(const void *pointer) {
  return __isShared(pointer);
}
__device__ static inline unsigned int __isClusterShared(const void *pointer) {
  unsigned int is;
  asm("{.reg .pred p;\n\tisspacep.shared::cluster p, %1;\n\tselp.u32 %0, 1, 0, p;}"
      : "=r"(is)
      : "l"(pointer));
  return is;
}

__device__ static inline void __cluster_barrier_arrive() {
  asm volatile("barrier.cluster.arrive;" ::: "memory");
}
__device__ static inline void __cluster_barrier_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}
__device__ static inline void __cluster_barrier_wait() {
  asm volatile("barrier.cluster.wait;" ::: "memory");
}
__device__ static inline void __threadfence_cluster() {
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
}

#undef REGRAIN_CLUSTER_EXTENT
#undef REGRAIN_CLUSTER_NUMBER
#undef REGRAIN_CLUSTER_REGISTER

#endif

#endif
