//===- cooperative_groups.h - Groups of threads -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, tiles of 1 to 32 lanes, and the lanes that are active now. Groups that
// span blocks (grid, cluster) know their size, but cannot synchronise.
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace detail {
__device__ inline unsigned int rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned int threadsOfBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline unsigned int lane() { return rankInBlock() & 31u; }

/* The lane that is number `rank` among the set bits of `mask`. */
__device__ inline int laneOfRank(unsigned int mask, unsigned int rank) {
  for (unsigned int skipped = 0; skipped < rank; ++skipped)
    mask &= mask - 1;
  return __ffs((int)mask) - 1;
}

/* Any trivially copyable T crosses lanes as 32-bit words. */
template <class T, class ShuffleWord>
__device__ inline T shuffleWords(const T &value, ShuffleWord shuffle) {
  constexpr unsigned int words = (sizeof(T) + 3) / 4;
  unsigned int buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (unsigned int i = 0; i < words; ++i)
    buffer[i] = shuffle(buffer[i]);
  T result;
  __builtin_memcpy(&result, buffer, sizeof(T));
  return result;
}
} // namespace detail

template <unsigned int Size, class Parent> class thread_block_tile;

namespace detail {
/* What a tile is cut from: a block, where it is not another tile. */
template <class Parent> struct divided {
  __device__ static unsigned int rank() { return rankInBlock(); }
  __device__ static unsigned int threads() { return threadsOfBlock(); }
};
template <unsigned int Size, class Parent> struct divided<thread_block_tile<Size, Parent>> {
  __device__ static unsigned int rank() { return lane() & (Size - 1); }
  __device__ static unsigned int threads() { return Size; }
};
} // namespace detail

class thread_block {
public:
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return detail::rankInBlock(); }
  __device__ static unsigned int num_threads() { return detail::threadsOfBlock(); }
  __device__ static unsigned int size() { return num_threads(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return group_dim(); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
  __attribute__((unavailable("barriers over the whole grid are not supported")))
  __device__ void sync() const {}
  __device__ static bool is_valid() { return false; }
  __device__ static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
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
};

__device__ inline grid_group this_grid() { return grid_group(); }

/* Lanes of one warp, named by a mask; the base of tiles and coalesced groups. */
class lanes {
public:
  __device__ void sync() const { __syncwarp(mask); }
  __device__ int any(int predicate) const { return __any_sync(mask, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask, predicate); }

protected:
  __device__ explicit lanes(unsigned int mask) : mask(mask) {}
  unsigned int mask;
};

/* Size lanes next to each other; Size is a power of two up to 32. */
template <unsigned int Size, class Parent = void> class thread_block_tile : public lanes {
  template <unsigned int, class> friend class thread_block_tile;
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles of 1, 2, 4, 8, 16 or 32 threads are supported");
  static constexpr unsigned int lowest = Size == 32 ? ~0u : (1u << (Size & 31)) - 1;

public:
  __device__ thread_block_tile()
      : lanes(lowest << (detail::lane() & ~(Size - 1))),
        group(detail::divided<Parent>::rank() / Size),
        groups((detail::divided<Parent>::threads() + Size - 1) / Size) {}
  /* A tile of any parent passes for one whose parent is not named. */
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other> &other)
      : lanes(other), group(other.group), groups(other.groups) {
    static_assert(__is_same(Parent, void), "tiles of different parents are different types");
  }
  __device__ static unsigned int thread_rank() { return detail::lane() & (Size - 1); }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ unsigned int meta_group_rank() const { return group; }
  __device__ unsigned int meta_group_size() const { return groups; }

  template <class T> __device__ T shfl(T value, int source) const {
    return detail::shuffleWords(value, [=](unsigned int word) {
      return __shfl_sync(mask, word, source, Size);
    });
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    return detail::shuffleWords(value, [=](unsigned int word) {
      return __shfl_down_sync(mask, word, delta, Size);
    });
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    return detail::shuffleWords(value, [=](unsigned int word) {
      return __shfl_up_sync(mask, word, delta, Size);
    });
  }
  template <class T> __device__ T shfl_xor(T value, unsigned int laneMask) const {
    return detail::shuffleWords(value, [=](unsigned int word) {
      return __shfl_xor_sync(mask, word, (int)laneMask, Size);
    });
  }

  __device__ unsigned int ballot(int predicate) const { return own(__ballot_sync(mask, predicate)); }
  template <class T> __device__ unsigned int match_any(T value) const {
    return own(__match_any_sync(mask, value));
  }
  template <class T> __device__ unsigned int match_all(T value, int &predicate) const {
    return own(__match_all_sync(mask, value, &predicate));
  }

private:
  __device__ static unsigned int own(unsigned int warpBits) {
    return warpBits >> (detail::lane() & ~(Size - 1)) & lowest;
  }

  unsigned int group, groups; /* which tile of how many its parent was cut into */
};

/* The lanes of a warp that run together at the point of the call. */
class coalesced_group : public lanes {
public:
  __device__ unsigned int thread_rank() const {
    return (unsigned int)__popc(mask & ((1u << detail::lane()) - 1));
  }
  __device__ unsigned int num_threads() const { return (unsigned int)__popc(mask); }
  __device__ unsigned int size() const { return num_threads(); }

  template <class T> __device__ T shfl(T value, unsigned int rank) const {
    int source = detail::laneOfRank(mask, rank);
    return detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_sync(mask, word, source); });
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    unsigned int rank = thread_rank() + delta;
    return shfl(value, rank < num_threads() ? rank : thread_rank());
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  __device__ unsigned int ballot(int predicate) const {
    return compact(__ballot_sync(mask, predicate));
  }
  template <class T> __device__ unsigned int match_any(T value) const {
    return compact(__match_any_sync(mask, value));
  }

private:
  friend __device__ coalesced_group coalesced_threads();
  __device__ explicit coalesced_group(unsigned int mask) : lanes(mask) {}

  /* Bits of lanes to bits of ranks. */
  __device__ unsigned int compact(unsigned int warpBits) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int rest = mask; rest; rest &= rest - 1, ++rank)
      result |= (warpBits >> (__ffs((int)rest) - 1) & 1u) << rank;
    return result;
  }
};

__device__ inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <unsigned int Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}

template <class Group> __device__ inline void sync(const Group &group) { group.sync(); }
template <class Group> __device__ inline unsigned int thread_rank(const Group &group) {
  return (unsigned int)group.thread_rank();
}
template <class Group> __device__ inline unsigned int group_size(const Group &group) {
  return (unsigned int)group.size();
}

} // namespace cooperative_groups

#endif

#endif
