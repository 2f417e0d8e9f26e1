//===- regrain_lanes.h - Groups of lanes of one warp ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These groups are tiles of 1 to 32 adjacent lanes, and coalesced groups, which
// are any lanes of a warp: those that are active at a call, or a part of another
// group.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_LANES_H
#define REGRAIN_LANES_H
#pragma GCC system_header

#if defined(__cplusplus) && defined(__CUDACC__)

#include "../cuda_runtime.h"

namespace cooperative_groups {

namespace detail {
__device__ inline unsigned int rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned int threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned int lane() { return rankInBlock() & 31u; }
/* These return the lanes below this one, and those above it. */
__device__ inline unsigned int below() { return (1u << lane()) - 1; }
__device__ inline unsigned int above() { return ~1u << lane(); }

/* Returns the lane that is number `rank` among the set bits of `mask`; -1 if there is none. */
__device__ inline int laneOfRank(unsigned int mask, unsigned int rank) {
  if (mask == ~0u)
    return rank < 32 ? (int)rank : -1;
  for (unsigned int skipped = 0; skipped < rank && mask; ++skipped)
    mask &= mask - 1;
  return __ffs((int)mask) - 1;
}

/* Passes any trivially copyable T between lanes as 32-bit words. */
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

struct partition;
struct collectively {};                 /* marks calls that all threads of a group make */
template <bool Value> struct choice {}; /* selects an overload */
} // namespace detail

class thread_block;
template <unsigned int Size, class Parent = void> class thread_block_tile;

namespace detail {
/* Describes the parent of a tile of fixed size; it is empty for a tile that is one thread. */
template <class Parent> struct divided {
  static_assert(__is_same(Parent, void), "tiled_partition<Size> takes a block or a tile");
  __device__ static unsigned int rank() { return 0; }
  __device__ static unsigned int threads() { return 1; }
};
template <> struct divided<thread_block> {
  __device__ static unsigned int rank() { return rankInBlock(); }
  __device__ static unsigned int threads() { return threadsOfBlock(); }
};
template <unsigned int Size, class Parent> struct divided<thread_block_tile<Size, Parent>> {
  __device__ static unsigned int rank() {
    return (Size > 32 ? rankInBlock() : lane()) & (Size - 1);
  }
  __device__ static unsigned int threads() { return Size; }
};
} // namespace detail

/* Lanes of one warp, given by a mask; this is the base of tiles and coalesced groups. */
class lanes {
public:
  __device__ void sync() const { __syncwarp(mask); }
  __device__ int any(int predicate) const { return __any_sync(mask, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask, predicate); }
  __device__ unsigned int meta_group_rank() const { return group; }
  __device__ unsigned int meta_group_size() const { return groups; }

protected:
  friend struct detail::partition;
  __device__ lanes(unsigned int mask, unsigned int group, unsigned int groups)
      : mask(mask), group(group), groups(groups) {}
  unsigned int mask;
  unsigned int group, groups; /* the index of the part, and the number of parts of the parent */
};

/* A tile of Size adjacent lanes; Size is a power of two up to 32. Larger tiles are in
   regrain_large_tiles.h. */
template <unsigned int Size, class Parent> class thread_block_tile : public lanes {
  template <unsigned int, class> friend class thread_block_tile;
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "the number of threads of a tile is a power of two up to 1024");
  static constexpr unsigned int lowest = Size == 32 ? ~0u : (1u << (Size & 31)) - 1;

public:
  /* A tile of any parent converts to one whose parent is not named. */
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other> &other) : lanes(other) {
    static_assert(__is_same(Parent, void), "tiles of different parents are different types");
  }
  __device__ static unsigned int thread_rank() { return detail::lane() & (Size - 1); }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static constexpr unsigned int size() { return Size; }

  template <class T> __device__ T shfl(T value, int source) const {
    return detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_sync(mask, word, source, Size); });
  }
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    return detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_down_sync(mask, word, delta, Size); });
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    return detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_up_sync(mask, word, delta, Size); });
  }
  template <class T> __device__ T shfl_xor(T value, unsigned int laneMask) const {
    return detail::shuffleWords(
        value, [=](unsigned int word) { return __shfl_xor_sync(mask, word, (int)laneMask, Size); });
  }

  __device__ unsigned int ballot(int predicate) const {
    return own(__ballot_sync(mask, predicate));
  }
  template <class T> __device__ unsigned int match_any(T value) const {
    return own(__match_any_sync(mask, value));
  }
  template <class T> __device__ unsigned int match_all(T value, int &predicate) const {
    return own(__match_all_sync(mask, value, &predicate));
  }

private:
  friend struct detail::partition;
  __device__ thread_block_tile()
      : lanes(lowest << (detail::lane() & ~(Size - 1)), detail::divided<Parent>::rank() / Size,
              (detail::divided<Parent>::threads() + Size - 1) / Size) {}

  __device__ static unsigned int own(unsigned int warpBits) {
    return warpBits >> (detail::lane() & ~(Size - 1)) & lowest;
  }
};

namespace detail {
/* Says whether a group has several warps. */
template <class Group> struct spansWarps {
  static constexpr bool value = false;
};
template <unsigned int Size, class Parent> struct spansWarps<thread_block_tile<Size, Parent>> {
  static constexpr bool value = Size > 32;
};
} // namespace detail

/* Any lanes of a warp, ranked in ascending order. */
class coalesced_group : public lanes {
public:
  __device__ unsigned int thread_rank() const {
    return (unsigned int)__popc(mask & detail::below());
  }
  __device__ unsigned int num_threads() const { return (unsigned int)__popc(mask); }
  __device__ unsigned int size() const { return num_threads(); }

  template <class T> __device__ T shfl(T value, unsigned int rank) const {
    return fromLane(value, detail::laneOfRank(mask, rank));
  }
  /* If no lane is `delta` ranks away, a lane keeps its own value. */
  template <class T> __device__ T shfl_down(T value, unsigned int delta) const {
    int source = delta ? detail::laneOfRank(mask & detail::above(), delta - 1) : -1;
    return fromLane(value, source < 0 ? (int)detail::lane() : source);
  }
  template <class T> __device__ T shfl_up(T value, unsigned int delta) const {
    unsigned int reversed = __brev(mask & detail::below());
    int source = delta ? detail::laneOfRank(reversed, delta - 1) : -1;
    return fromLane(value, source < 0 ? (int)detail::lane() : 31 - source);
  }

  __device__ unsigned int ballot(int predicate) const {
    return compact(__ballot_sync(mask, predicate));
  }
  template <class T> __device__ unsigned int match_any(T value) const {
    return compact(__match_any_sync(mask, value));
  }
  template <class T> __device__ unsigned int match_all(T value, int &predicate) const {
    return compact(__match_all_sync(mask, value, &predicate));
  }

private:
  friend struct detail::partition;
  using lanes::lanes;

  template <class T> __device__ T fromLane(const T &value, int source) const {
    return detail::shuffleWords(value,
                                [=](unsigned int word) { return __shfl_sync(mask, word, source); });
  }

  /* Converts a mask of lanes to a mask of ranks. */
  __device__ unsigned int compact(unsigned int warpBits) const {
    unsigned int result = 0, rank = 0;
    for (unsigned int rest = mask; rest; rest &= rest - 1, ++rank)
      result |= (warpBits >> (__ffs((int)rest) - 1) & 1u) << rank;
    return result;
  }
};

} // namespace cooperative_groups

#endif

#endif
