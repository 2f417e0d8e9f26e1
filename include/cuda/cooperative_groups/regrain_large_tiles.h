//===- regrain_large_tiles.h - Tiles of several warps -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warps of such a tile meet at a counter in shared memory, and exchange values there. Each size
// of tiles has counters of its own, so the warps of a block may be at tiles of different sizes.
// The memory belongs to the kernels that use these functions; block_tile_memory is not used.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_LARGE_TILES_H
#define REGRAIN_LARGE_TILES_H
#pragma GCC system_header

#include "regrain_grid.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

namespace detail {
constexpr unsigned int mostBlockThreads = 1024, mostBlockWarps = 32;

/* One counter for each tile of a block. */
template <unsigned int Size> __device__ inline unsigned int *tileCounters() {
  __shared__ unsigned int counters[mostBlockThreads / Size];
  return counters;
}
/* One word for each thread. */
__device__ inline unsigned int *wordsOfThreads() {
  __shared__ unsigned int words[mostBlockThreads];
  return words;
}
/* One value for each warp. */
template <class T> __device__ inline T *valuesOfWarps() {
  __shared__ __align__(alignof(T)) char bytes[mostBlockWarps * sizeof(T)];
  return reinterpret_cast<T *>(bytes);
}

template <unsigned int Size, class Parent> class large_tile {
  static_assert(Size <= mostBlockThreads && (Size & (Size - 1)) == 0,
                "the number of threads of a tile is a power of two up to 1024");

public:
  __device__ static unsigned int thread_rank() { return rankInBlock() & (Size - 1); }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ unsigned int meta_group_rank() const { return divided<Parent>::rank() / Size; }
  __device__ unsigned int meta_group_size() const {
    return (divided<Parent>::threads() + Size - 1) / Size;
  }

  __device__ void sync() const {
    __syncwarp();
    if (lane() == 0) {
      unsigned int *counter = tileCounters<Size>() + rankInBlock() / Size;
      __threadfence_block();
      wait(counter, arrive(counter, warps(), thread_rank() == 0));
      __threadfence_block();
    }
    __syncwarp();
  }

  template <class T> __device__ T shfl(T value, unsigned int source) const {
    unsigned int *words = wordsOfThreads(), own = rankInBlock();
    unsigned int other = firstThread() + (source & (Size - 1));
    return shuffleWords(value, [=](unsigned int word) {
      words[own] = word;
      sync();
      unsigned int got = words[other];
      sync();
      return got;
    });
  }
  __device__ int any(int predicate) const {
    return joinWarps(__any_sync(~0u, predicate), [](int a, int b) { return a | b; }) != 0;
  }
  __device__ int all(int predicate) const {
    return joinWarps(__all_sync(~0u, predicate), [](int a, int b) { return a & b; }) != 0;
  }

  /* Combines the values of the tile's warps, in the order of the warps. */
  template <class T, class Operator> __device__ T joinWarps(T ofWarp, Operator combine) const {
    const T *values = showToTile(ofWarp);
    T result = values[0];
    for (unsigned int i = 1; i < warps(); ++i)
      result = combine(result, values[i]);
    sync();
    return result;
  }
  /* Combines the values of the warps before this one; the first warp gets T(). The values of later
     warps are first operands. */
  template <class T, class Operator> __device__ T joinEarlier(T ofWarp, Operator combine) const {
    const T *values = showToTile(ofWarp);
    T result = T();
    for (unsigned int i = 0; i < thread_rank() / 32; ++i)
      result = i == 0 ? values[0] : combine(values[i], result);
    sync();
    return result;
  }

protected:
  /* All threads of the parent call this. */
  template <class Synchronise> __device__ void prepare(Synchronise synchroniseParent) const {
    synchroniseParent();
    if (thread_rank() == 0)
      tileCounters<Size>()[rankInBlock() / Size] = 0;
    synchroniseParent();
  }

private:
  __device__ static unsigned int firstThread() { return rankInBlock() & ~(Size - 1); }
  /* The last tile of a block may be smaller. */
  __device__ static unsigned int warps() {
    unsigned int left = threadsOfBlock() - firstThread();
    return ((left < Size ? left : Size) + 31) / 32;
  }
  /* Returns the values of the tile's warps. Another exchange must be preceded by sync(). */
  template <class T> __device__ const T *showToTile(T ofWarp) const {
    T *values = valuesOfWarps<T>();
    if (lane() == 0)
      values[rankInBlock() / 32] = ofWarp;
    sync();
    return values + firstThread() / 32;
  }
};
} // namespace detail

#define REGRAIN_LARGE_TILE(SIZE)                                                                   \
  template <class Parent>                                                                          \
  class thread_block_tile<SIZE, Parent> : public detail::large_tile<SIZE, Parent> {                \
  public:                                                                                          \
    template <class Other> __device__ thread_block_tile(const thread_block_tile<SIZE, Other> &) {  \
      static_assert(__is_same(Parent, void), "tiles of different parents are different types");    \
    }                                                                                              \
                                                                                                   \
  private:                                                                                         \
    friend struct detail::partition;                                                               \
    template <class Synchronise>                                                                   \
    __device__ explicit thread_block_tile(detail::collectively, Synchronise synchroniseParent) {   \
      this->prepare(synchroniseParent);                                                            \
    }                                                                                              \
  };
REGRAIN_LARGE_TILE(64)
REGRAIN_LARGE_TILE(128)
REGRAIN_LARGE_TILE(256)
REGRAIN_LARGE_TILE(512)
REGRAIN_LARGE_TILE(1024)
#undef REGRAIN_LARGE_TILE

} // namespace cooperative_groups

#endif

#endif
