//===- matmul_variants.h - Variants of the products of fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What regrain tune may choose instead of the kernel that is launched, and how it is launched.
// The form with a queue is not among it: threads wait for each other in loops of which nobody
// can prove that they end, so a launch with such a variant would not be repeated.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matmul_direct.h"
#include "matmul_warpgroups.h"
#include <regrain/variants.h>

namespace regrain::kernels {

/// The launch of matmul<T, tokenTiles, channels, steps, most>: the given one has blocksOfProcessor
/// blocks for each multiprocessor.
template <class T, int tokenTiles, int channels, int steps, int most>
constexpr regrain::launch directly(regrain::launch given, const T *, const unsigned char *,
                                   const unsigned char *, const float *, const float *,
                                   const float *, const unsigned *, int, int, int, bool, bool) {
  return {dim3(given.grid.x / blocksOfProcessor * most), dim3(matmulThreads), 0};
}

/// Variants add up in another order, and results of 16 bits may be apart by a few units.
#define REGRAIN_DIRECT_VARIANTS(T, TOKEN_TILES, ...)                                               \
  REGRAIN_VARIANTS_WITHIN(64, matmul, directly, (T, TOKEN_TILES, 128, 2, blocksOfProcessor),       \
                          __VA_ARGS__)
#define REGRAIN_MATMUL_VARIANTS(T)                                                                 \
  REGRAIN_DIRECT_VARIANTS(T, 1, (T, 1, 64, 2, 2), (T, 1, 64, 1, 4), (T, 1, 128, 2, 3),             \
                          (T, 1, 128, 4, 2));                                                      \
  REGRAIN_DIRECT_VARIANTS(T, 2, (T, 2, 64, 2, 2), (T, 2, 128, 1, 3), (T, 2, 128, 4, 2));           \
  REGRAIN_DIRECT_VARIANTS(T, 4, (T, 4, 64, 2, 2), (T, 4, 64, 1, 2), (T, 4, 128, 1, 2),             \
                          (T, 4, 128, 2, 1))

REGRAIN_MATMUL_VARIANTS(__half);
REGRAIN_MATMUL_VARIANTS(__nv_bfloat16);

/// The launch of matmulByWarpgroups<T, tokenTiles, rows, groups, stages, atoms, 1, kept>, which has
/// a block for each multiprocessor. Clusters have no variants.
template <class T, int tokenTiles, int rows, int groups, int stages, int atoms, int splits,
          int kept>
constexpr regrain::launch byWarpgroups(regrain::launch given, const T *, const unsigned char *,
                                       const unsigned char *, const float *, const float *, int,
                                       int, int, bool, bool) {
  using Shape = RingShape<tokenTiles, rows, groups, stages, atoms, splits, kept>;
  return {given.grid, dim3(Shape::threads), Shape::bytes};
}

/// What the second-level cache shall keep is chosen, and whether rows are long.
#define REGRAIN_WIDE(T, TILES, KEPT) (T, TILES, 128, 2, ringStages(TILES, 128, 2, 1, 1), 1, 1, KEPT)
#define REGRAIN_LONG(T, TILES, KEPT) (T, TILES, 104, 2, ringStages(TILES, 104, 2, 2, 1), 2, 1, KEPT)
#define REGRAIN_RING_VARIANTS(ORIGINAL, ...)                                                       \
  REGRAIN_VARIANTS_WITHIN(64, matmulByWarpgroups, byWarpgroups, ORIGINAL, __VA_ARGS__)
#define REGRAIN_WARPGROUP_VARIANTS(T, TILES)                                                       \
  REGRAIN_RING_VARIANTS(REGRAIN_WIDE(T, TILES, 8), REGRAIN_WIDE(T, TILES, 16),                     \
                        REGRAIN_WIDE(T, TILES, 32));                                               \
  REGRAIN_RING_VARIANTS(REGRAIN_WIDE(T, TILES, 16), REGRAIN_WIDE(T, TILES, 8),                     \
                        REGRAIN_WIDE(T, TILES, 32), REGRAIN_LONG(T, TILES, 16));                   \
  REGRAIN_RING_VARIANTS(REGRAIN_LONG(T, TILES, 16), REGRAIN_WIDE(T, TILES, 16),                    \
                        REGRAIN_WIDE(T, TILES, 32))
#define REGRAIN_ALL_WARPGROUP_VARIANTS(T)                                                          \
  REGRAIN_WARPGROUP_VARIANTS(T, 1);                                                                \
  REGRAIN_WARPGROUP_VARIANTS(T, 2);                                                                \
  REGRAIN_WARPGROUP_VARIANTS(T, 4)

REGRAIN_ALL_WARPGROUP_VARIANTS(__half);
REGRAIN_ALL_WARPGROUP_VARIANTS(__nv_bfloat16);

#undef REGRAIN_ALL_WARPGROUP_VARIANTS
#undef REGRAIN_WARPGROUP_VARIANTS
#undef REGRAIN_RING_VARIANTS
#undef REGRAIN_LONG
#undef REGRAIN_WIDE
#undef REGRAIN_MATMUL_VARIANTS
#undef REGRAIN_DIRECT_VARIANTS

} // namespace regrain::kernels
