//===- matmul_warpgroups.cu - Test of products by warpgroups -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where there are no such instructions, as on the CPU, they are imitated. Clusters are not.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_ARCH_FEAT_SM90_ALL
#include "warpgroup_cores_by_loops.h"
#endif

#include "../src/matmul_warpgroups.h"
#include "matmul_parts.h"

using namespace test;
using namespace regrain::kernels;

template <int tokenTiles, int rows, int groups, int stages, int atoms, int splits>
static void byWarpgroups(int m, int n, int k, unsigned blocks, bool haveScales = false) {
  using Shape = RingShape<tokenTiles, rows, groups, stages, atoms, splits, 4>;
  auto launch = [=](__half *out, const Product &p) {
    auto *kernel = matmulByWarpgroups<__half, tokenTiles, rows, groups, stages, atoms, splits, 4>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::bytes));
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = splits, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(blocks), launch.blockDim = dim3(Shape::threads);
    launch.dynamicSmemBytes = Shape::bytes;
    launch.attrs = &cluster, launch.numAttrs = splits > 1;
    check(cudaLaunchKernelEx(&launch, kernel, out, p.a, p.b, p.scaleA, p.scaleB, p.m, p.n, p.k,
                             haveScales, haveScales));
  };
  checkParts("product by warpgroups", m, n, k, blocks, 1, launch, haveScales);
}

int main() {
  // Several tiles for a block, with fewer units than stages, and rows behind the last one; a tile
  // for each; more blocks than channels.
  byWarpgroups<2, 72, 2, 3, 1, 1>(13, 290, 400, 2, true);
  byWarpgroups<2, 72, 2, 3, 1, 1>(9, 290, 528, 5, true);
  byWarpgroups<2, 72, 2, 3, 1, 1>(16, 3, 0, 5);
  // Long rows, of which the last is not whole.
  byWarpgroups<1, 72, 2, 3, 2, 1>(7, 100, 912, 2, true);
  // Clusters that share tiles, with units of several rows, also of a k that has fewer units, and
  // one that has no tile.
  byWarpgroups<4, 24, 2, 2, 2, 3>(31, 40, 1936, 6, true);
  byWarpgroups<4, 24, 2, 2, 2, 3>(32, 24, 272, 3);
  byWarpgroups<4, 24, 2, 2, 2, 3>(32, 5, 272, 12);
  // More blocks than fragments, channels of two instructions, and three warpgroups.
  byWarpgroups<1, 72, 3, 2, 1, 8>(7, 70, 1296, 16);
  return finish();
}
