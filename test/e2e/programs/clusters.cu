//===- clusters.cu - Clusters of several blocks -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a cluster know their ranks, meet at a barrier and use each other's shared memory.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu -o %t.fast %s
// RUN: timeout 100 %t.fast
// RUN: env REGRAIN_NUM_THREADS=1 timeout 100 %t.fast
// RUN: env REGRAIN_NUM_THREADS=5 timeout 100 %t.fast
// RUN: %regrain cc -O0 --targets=cpu -o %t.plain %s
// RUN: timeout 100 %t.plain
// RUN: %regrain cc -O1 -fsanitize=address --targets=cpu -o %t.address %s
// RUN: env ASAN_OPTIONS=detect_leaks=0 timeout 100 %t.address
//
// At another grain, blocks would have other ranks. A kernel without clusters runs at its grain, but
// not if the launch has clusters.
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:block.x=2' -o %t.block %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED-DAG: remark: kernel 'rotate{{.*}} is built without block.x=2: its blocks form clusters (__cluster_dims__)
// REFUSED-DAG: remark: kernel 'ranks{{.*}} is built without block.x=2: an operation may synchronise threads
// RUN: timeout 100 %t.block
//
// Chips before 9.0 have no clusters.
// RUN: not %regrain cc -c --targets=compute_80 -o %t.o %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: it uses clusters of blocks, which chips before compute capability 9.0 do not have
// RUN: %regrain cc -c --targets=compute_90 -o %t.o %s
#include "expect.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/// What each thread of a launch knows of its cluster.
struct Place {
  unsigned block[3], rank, blocks, size[3], thread, threads, cluster[3], clusters[3];
};

__global__ void ranks(Place *out) {
  cg::cluster_group cluster = cg::this_cluster();
  cg::grid_group grid = cg::this_grid();
  dim3 block = cluster.block_index(), size = cluster.dim_blocks(), place = grid.cluster_index(),
       count = grid.dim_clusters();
  out[grid.thread_rank()] = {{block.x, block.y, block.z}, cluster.block_rank(),
                             cluster.num_blocks(),        {size.x, size.y, size.z},
                             cluster.thread_rank(),       cluster.num_threads(),
                             {place.x, place.y, place.z}, {count.x, count.y, count.z}};
}

/// Each block gets the numbers of the next block of its cluster.
__global__ void __cluster_dims__(4) rotate(const int *in, int *out) {
  __shared__ int own[64];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  own[threadIdx.x] = in[place];
  cluster.sync();
  const int *next = cluster.map_shared_rank(own, (cluster.block_rank() + 1) % 4);
  out[place] = next[threadIdx.x] + 1000 * int(cluster.query_shared_rank(next));
  cluster.sync();
}

/// Counts numbers in bins that are distributed over the cluster, `rounds` times.
template <unsigned Blocks>
__global__ void __cluster_dims__(Blocks, 1, 1) histogram(const unsigned *in, int n, int rounds,
                                                         unsigned *bins, int binsOfBlock) {
  extern __shared__ unsigned own[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < binsOfBlock; i += blockDim.x)
    own[i] = 0;
  cluster.sync();
  for (int round = 0; round < rounds; ++round) {
    for (int i = int(cluster.thread_rank()); i < n; i += int(cluster.num_threads())) {
      unsigned bin = (in[i] + round) % (binsOfBlock * Blocks);
      atomicAdd(cluster.map_shared_rank(own, bin / binsOfBlock) + bin % binsOfBlock, 1u);
    }
    cluster.sync();
  }
  for (int i = threadIdx.x; i < binsOfBlock; i += blockDim.x)
    atomicAdd(bins + cluster.block_rank() * binsOfBlock + i, own[i]);
}

/// Between arriving and waiting, a block does what others need not wait for.
__global__ void twoSteps(int *out, int *early) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    mine = int(10 * blockIdx.x);
  auto token = cluster.barrier_arrive();
  early[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x);
  cluster.barrier_wait(static_cast<decltype(token) &&>(token));
  int sum = 0;
  for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
    sum += *cluster.map_shared_rank(&mine, rank);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
}

/// Threads that have exited, and blocks that end after they have arrived, keep no other waiting.
__global__ void __cluster_dims__(3, 1, 1) leave(int *out) {
  if (threadIdx.x < 5)
    return;
  unsigned rank = __clusterRelativeBlockRank();
  __cluster_barrier_arrive();
  if (rank == 1)
    return;
  __cluster_barrier_wait();
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;"
               :
               :
               : "memory");
  if (threadIdx.x == 5)
    out[blockIdx.x] = int(rank) + 1;
}

__global__ void spaces(unsigned *out, unsigned *global) {
  __shared__ unsigned own[2];
  unsigned rank = __clusterRelativeBlockRank(), other = rank ^ 1;
  unsigned local = rank;
  void *remote = __cluster_map_shared_rank(own + 1, other);
  if (threadIdx.x == 0)
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"l"(__cvta_generic_to_shared(remote)),
                 "r"(rank + 7)
                 : "memory");
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  unsigned *o = out + 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  o[0] = __isClusterShared(own);
  o[1] = __isClusterShared(remote);
  o[2] = __isClusterShared(global) + __isClusterShared(&local);
  o[3] = __isGlobal(remote) + 2 * __isGlobal(global);
  o[4] = __cluster_query_shared_rank(remote);
  o[5] = own[1];
  o[6] = __clusterDimIsSpecified();
  o[7] = __clusterSizeInBlocks();
}

/// The whole grid meets as well.
__global__ void bothBarriers(int *out, int *sums) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0)
    mine = int(blockIdx.x);
  cluster.sync();
  int sum = mine + *cluster.map_shared_rank(&mine, int(cluster.block_rank() ^ 1));
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
  grid.sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sums[(blockIdx.x + 1) % gridDim.x];
}

__global__ void add(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] += int(blockIdx.x); }

struct Configuration : cudaLaunchConfig_t {
  Configuration(dim3 grid, dim3 block, dim3 cluster, bool cooperative = false) {
    gridDim = grid;
    blockDim = block;
    dynamicSmemBytes = 0;
    stream = nullptr;
    attrs = attributes;
    numAttrs = cooperative ? 2 : 1;
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = cluster.x;
    attributes[0].val.clusterDim.y = cluster.y;
    attributes[0].val.clusterDim.z = cluster.z;
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = cooperative;
  }
  Configuration(const Configuration &) = delete;
  cudaLaunchAttribute attributes[2] = {};
};

void testRanks(dim3 grid, dim3 block, dim3 cluster) {
  unsigned threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  DeviceArray<Place> places(threads * blocks);
  Configuration config(grid, block, cluster);
  CHECK(cudaLaunchKernelEx(&config, ranks, (Place *)places));
  std::vector<Place> got = places.host();
  for (unsigned i = 0; i < got.size(); ++i) {
    unsigned linear = i / threads;
    unsigned at[3] = {linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
    unsigned size[3] = {cluster.x, cluster.y, cluster.z}, all[3] = {grid.x, grid.y, grid.z};
    unsigned rank = 0;
    for (int d = 2; d >= 0; --d) {
      rank = rank * size[d] + at[d] % size[d];
      expectEqual("block", i, got[i].block[d], at[d] % size[d]);
      expectEqual("size", i, got[i].size[d], size[d]);
      expectEqual("cluster", i, got[i].cluster[d], at[d] / size[d]);
      expectEqual("clusters", i, got[i].clusters[d], all[d] / size[d]);
    }
    expectEqual("rank", i, got[i].rank, rank);
    expectEqual("blocks", i, got[i].blocks, size[0] * size[1] * size[2]);
    expectEqual("thread", i, got[i].thread, rank * threads + i % threads);
    expectEqual("threads", i, got[i].threads, got[i].blocks * threads);
  }
}

void testRotate() {
  constexpr int blocks = 24, threads = 64;
  std::vector<int> numbers(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i)
    numbers[i] = i % 997;
  DeviceArray<int> in(numbers), out(blocks * threads);
  rotate<<<blocks, threads>>>(in, out);
  std::vector<int> got = out.host();
  for (int i = 0; i < blocks * threads; ++i) {
    int block = i / threads, next = block / 4 * 4 + (block + 1) % 4;
    expectEqual("rotated", i, got[i], numbers[next * threads + i % threads] + 1000 * (next % 4));
  }
}

template <unsigned Blocks> void testHistogram(int clusters, int binsOfBlock) {
  constexpr int n = 3000, rounds = 3;
  int bins = int(Blocks) * binsOfBlock;
  std::vector<unsigned> numbers(n), wanted(bins);
  for (int i = 0; i < n; ++i)
    numbers[i] = unsigned(i) * 2654435761u >> 7;
  for (int round = 0; round < rounds; ++round)
    for (unsigned number : numbers)
      wanted[(number + round) % bins] += clusters;
  DeviceArray<unsigned> in(numbers), out(bins);
  histogram<Blocks>
      <<<clusters * Blocks, 96, binsOfBlock * sizeof(unsigned)>>>(in, n, rounds, out, binsOfBlock);
  std::vector<unsigned> got = out.host();
  for (int i = 0; i < bins; ++i)
    expectEqual("bins", i, got[i], wanted[i]);
}

void testBarriers() {
  constexpr int threads = 40, blocks = 6;
  DeviceArray<int> sums(threads * blocks), early(threads * blocks), left(9);
  Configuration twos(blocks, threads, 2);
  CHECK(cudaLaunchKernelEx(&twos, twoSteps, (int *)sums, (int *)early));
  std::vector<int> got = sums.host();
  for (int i = 0; i < threads * blocks; ++i) {
    int first = i / threads / 2 * 2;
    expectEqual("sums", i, got[i], 10 * first + 10 * (first + 1));
  }
  expectEqual("early", 0, early.host()[threads * blocks - 1], threads - 1);
  leave<<<9, 64>>>(left);
  std::vector<int> ranks = left.host();
  for (int i = 0; i < 9; ++i)
    expectEqual("left", i, ranks[i], i % 3 == 1 ? 0 : i % 3 + 1);
  DeviceArray<int> out(blocks), parts(blocks);
  Configuration both(blocks, threads, 2, /*cooperative=*/true);
  CHECK(cudaLaunchKernelEx(&both, bothBarriers, (int *)out, (int *)parts));
  for (int i = 0; i < blocks; ++i) {
    int next = (i + 1) % blocks;
    expectEqual("both", i, out.host()[i], 2 * (next / 2 * 2) + 1);
  }
}

void testSpaces() {
  DeviceArray<unsigned> out(8 * 4 * 32), global(1);
  Configuration pairs(4, 32, 2);
  CHECK(cudaLaunchKernelEx(&pairs, spaces, (unsigned *)out, (unsigned *)global));
  std::vector<unsigned> got = out.host();
  for (int i = 0; i < 4 * 32; ++i) {
    unsigned rank = i / 32 % 2, wanted[] = {1, 1, 0, 2, rank ^ 1, (rank ^ 1) + 7, 1, 2};
    for (int k = 0; k < 8; ++k)
      expectEqual("spaces", 8 * i + k, got[8 * i + k], wanted[k]);
  }
}

/// A kernel without operations on clusters may be launched in clusters.
void testWithoutOperations() {
  constexpr int blocks = 10, threads = 32;
  DeviceArray<int> out(blocks * threads);
  Configuration pairs(blocks, threads, 2);
  CHECK(cudaLaunchKernelEx(&pairs, add, (int *)out));
  add<<<blocks, threads>>>(out);
  for (int i = 0; i < blocks * threads; ++i)
    expectEqual("added", i, out.host()[i], 2 * (i / threads));
}

void testLimits() {
  DeviceArray<Place> places(64 * 32);
  DeviceArray<int> numbers(64 * 32);
  int *in = numbers;
  auto attempt = [&](dim3 grid, dim3 cluster) {
    Configuration config(grid, 32, cluster);
    cudaError_t error = cudaLaunchKernelEx(&config, ranks, (Place *)places);
    cudaGetLastError();
    return error;
  };
  expectEqual("not divisible", 0, attempt(9, 2), cudaErrorInvalidClusterSize);
  expectEqual("too large", 0, attempt(32, 16), cudaErrorInvalidClusterSize);
  expectEqual("one block", 0, attempt(9, 1), cudaSuccess);
  expectEqual("largest", 0, attempt(dim3(4, 4, 2), dim3(2, 2, 2)), cudaSuccess);
  Configuration others(8, 64, 2);
  expectEqual("others", 0, cudaLaunchKernelEx(&others, rotate, (const int *)in, in),
              cudaErrorInvalidClusterSize);
  rotate<<<6, 64>>>(in, in);
  expectEqual("kernel's own", 0, cudaGetLastError(), cudaErrorInvalidClusterSize);

  Configuration config(32, 32, 4);
  int clusters = 0, most = 0, can = 0, processors = 0;
  CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrClusterLaunch, 0));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, ranks, &config));
  CHECK(cudaOccupancyMaxPotentialClusterSize(&most, ranks, &config));
  expectEqual("can", 0, can, 1);
  expect(clusters > 0, "clusters", 0, clusters, 1);
  expectEqual("most", 0, most, 8);
  CHECK(cudaFuncSetAttribute(ranks, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  expectEqual("large", 0, attempt(32, 16), cudaSuccess);
  cudaFuncAttributes attributes = {};
  CHECK(cudaFuncGetAttributes(&attributes, rotate));
  expectEqual("width", 0, attributes.requiredClusterWidth, 4);
  expectEqual("height", 0, attributes.requiredClusterHeight, 1);
  expectEqual("fixed", 0, cudaFuncSetAttribute(rotate, cudaFuncAttributeRequiredClusterWidth, 2),
              cudaErrorNotPermitted);
  cudaGetLastError();
}

int main() {
  testRanks(12, 64, 3);
  testRanks(dim3(4, 6, 2), dim3(8, 4, 2), dim3(2, 3, 1));
  testRanks(dim3(2, 2, 4), 33, dim3(1, 2, 4));
  testRotate();
  testHistogram<2>(5, 100);
  testHistogram<8>(2, 33);
  testBarriers();
  testSpaces();
  testWithoutOperations();
  testLimits();
  CHECK(cudaDeviceSynchronize());
  return verdict("clusters");
}
