//===- clustered_variants.cu - Variants with clusters of blocks -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a cluster share a row. Variants share it among more blocks, or fewer, whose cluster
// is an attribute of the launch or of the kernel.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --alternatives=4 -o %t %s
// RUN: timeout 60 %t | FileCheck %s --check-prefix=PLAIN
// PLAIN: rows: 0 blocks alone, 0 in twos, 20 in fours, 0 in eights; fixed: 0 in twos, 24 in fours, 0 in eights; 5 of single
// RUN: env REGRAIN_ALTERNATIVE='rows<4>:variant=rows<8>;fixed<4>:variant=fixed<2>;single:variant=fixed<8>' \
// RUN:   timeout 60 %t | FileCheck %s --check-prefix=OTHERS
// OTHERS: rows: 0 blocks alone, 0 in twos, 0 in fours, 40 in eights; fixed: 12 in twos, 0 in fours, 40 in eights; 0 of single
//
// A variant may have no clusters at all. Clusters that no device has run the original.
// RUN: env REGRAIN_ALTERNATIVE='rows<4>:variant=rows<1>;fixed<4>:variant=single' \
// RUN:   timeout 60 %t | FileCheck %s --check-prefix=ALONE
// ALONE: rows: 5 blocks alone, 0 in twos, 0 in fours, 0 in eights; fixed: 0 in twos, 0 in fours, 0 in eights; 11 of single
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='rows<4>:variant=rows<32>' \
// RUN:   timeout 60 %t 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: variant=rows<32> does not run for this launch, because the device cannot hold the clusters that the source's rule says
// LARGE: rows: 0 blocks alone, 0 in twos, 20 in fours,
//
// Blocks of another grain would have other ranks. The rule also says how the original is launched.
// RUN: %regrain cc -O3 --targets=cpu --coarsen='add:block.x=2' -o %t.grain %s
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.grain 2>&1 | FileCheck %s --check-prefix=GRAIN
// GRAIN: block.x=2 does not run for this launch, because the launch has clusters of several blocks, which only the original and variants as the source has them keep
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='rows<4>:variant=rows<2>' timeout 60 %t others 2>&1 | FileCheck %s --check-prefix=OTHERLAUNCH
// OTHERLAUNCH: variant=rows<2> does not run for this launch, because the source's rule says that the original is launched in another way for these arguments
// OTHERLAUNCH: clustered_variants: ok
#include "expect.h"

#include <cooperative_groups.h>
#include <cstring>
#include <regrain/variants.h>

namespace cg = cooperative_groups;

__device__ int ran[33], ranFixed[33], ranSingle;

/// Adds up a row by the blocks of a cluster; the first one adds up the parts.
template <int Blocks> __device__ void addRow(const int *in, int *out, int n) {
  __shared__ int part;
  cg::cluster_group cluster = cg::this_cluster();
  int row = blockIdx.x / Blocks, sum = 0;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  for (int i = cluster.block_rank() * blockDim.x + threadIdx.x; i < n; i += Blocks * blockDim.x)
    sum += in[row * n + i];
  atomicAdd(&part, sum);
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
      sum += *cluster.map_shared_rank(&part, rank);
    out[row] = sum + 1000 * (int(cluster.num_blocks()) - Blocks);
  }
  cluster.sync();
}

template <int Blocks> __global__ void rows(const int *in, int *out, int n) {
  addRow<Blocks>(in, out, n);
  if (threadIdx.x == 0)
    atomicAdd(&ran[Blocks], 1);
}
template <int Blocks>
__global__ void __cluster_dims__(Blocks) fixed(const int *in, int *out, int n) {
  addRow<Blocks>(in, out, n);
  if (threadIdx.x == 0)
    atomicAdd(&ranFixed[Blocks], 1);
}
__global__ void single(const int *in, int *out, int n) {
  addRow<1>(in, out, n);
  if (threadIdx.x == 0)
    atomicAdd(&ranSingle, 1);
}

template <int Blocks>
constexpr regrain::launch clusters(regrain::launch given, const int *, int *, int) {
  return {dim3(given.grid.x / given.cluster.x * Blocks), dim3(64), 0, dim3(Blocks)};
}
/// The kernel says the rest.
template <int Blocks>
constexpr regrain::launch fixedClusters(regrain::launch given, const int *, int *, int) {
  return {dim3(given.grid.x / given.cluster.x * Blocks), dim3(64), 0};
}

REGRAIN_VARIANTS(rows, clusters, (4), (1), (2), (8), (32));
REGRAIN_VARIANTS(fixed, fixedClusters, (4), (2));
REGRAIN_VARIANT(fixed<4>, single, clusters<1>);
REGRAIN_VARIANT(single, fixed<8>, fixedClusters<8>);

__global__ void add(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] += int(blockIdx.x); }

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), int blocks, int threads, int cluster,
            Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = cluster > 1;
  CHECK(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

template <class Launch> void checkRows(const char *what, int count, int n, Launch launchRows) {
  std::vector<int> numbers(count * n), wanted(count);
  for (int i = 0; i < count * n; ++i) {
    numbers[i] = i % 97;
    wanted[i / n] += i % 97;
  }
  DeviceArray<int> in(numbers), out(count);
  launchRows((const int *)in, (int *)out, n);
  std::vector<int> got = out.host();
  for (int row = 0; row < count; ++row)
    expectEqual(what, row, got[row], wanted[row]);
}

int main(int argc, char **argv) {
  // The rule says 64 threads.
  int threads = argc > 1 && !std::strcmp(argv[1], "others") ? 32 : 64;
  checkRows("rows", 5, 777, [&](const int *in, int *out, int n) {
    launch(rows<4>, 20, threads, 4, in, out, n);
  });
  checkRows("fixed", 6, 500, [](const int *in, int *out, int n) { fixed<4><<<24, 64>>>(in, out, n); });
  checkRows("single", 5, 300, [](const int *in, int *out, int n) { single<<<5, 64>>>(in, out, n); });
  constexpr int blocks = 10;
  DeviceArray<int> sums(blocks * 32);
  launch(add, blocks, 32, 2, (int *)sums);
  for (int i = 0; i < blocks * 32; ++i)
    expectEqual("added", i, sums.host()[i], i / 32);
  int all[33], ofFixed[33], ofSingle = 0;
  CHECK(cudaMemcpyFromSymbol(all, ran, sizeof(all)));
  CHECK(cudaMemcpyFromSymbol(ofFixed, ranFixed, sizeof(ofFixed)));
  CHECK(cudaMemcpyFromSymbol(&ofSingle, ranSingle, sizeof(ofSingle)));
  printf("rows: %d blocks alone, %d in twos, %d in fours, %d in eights; fixed: %d in twos, %d in "
         "fours, %d in eights; %d of single\n",
         all[1], all[2], all[4], all[8], ofFixed[2], ofFixed[4], ofFixed[8], ofSingle);
  return verdict("clustered_variants");
}
