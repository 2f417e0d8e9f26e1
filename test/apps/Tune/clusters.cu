// Launches with clusters are repeated, and variants are compared with the original and timed, for each size of cluster.
// RUN: rm -rf %t && mkdir %t
// RUN: %regrain cc -O3 --targets=cpu --alternatives=4 %s -o %t/program
// RUN: %regrain tune --budget=40 --db %t/db -o %t/choices --json %t/json -- %t/program 2>&1 | FileCheck %s
// CHECK: at variant=wrong: differs from the original's result at byte
// RUN: %python %S/Inputs/clusters.py %t/json | FileCheck %s --check-prefix=TIMED
// TIMED: any cluster=2x1x1: {{.*}}variant=rows<{{[248]}}>{{.*}} timed; variant=wrong excluded
// TIMED: any cluster=4x1x1: {{.*}}variant=rows<{{[248]}}>{{.*}} timed; variant=wrong excluded

// A choice holds for the clusters with which it was measured.
// RUN: %python %S/Inputs/clusters.py %t/choices 'variant=rows<8>' ,cluster=2x1x1
// RUN: %regrain cc -O3 --targets=cpu --choose=%t/choices %s -o %t/chosen
// RUN: env REGRAIN_VERBOSE=1 %t/chosen 2>&1 | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: variant=rows<8> for block=64x1x1,{{.*}},cluster=2x1x1
// CHOSEN: 2: 8 blocks of a cluster
// CHOSEN: 4: 4 blocks of a cluster
#include <cooperative_groups.h>
#include <cstdio>
#include <regrain/variants.h>

namespace cg = cooperative_groups;

constexpr int count = 64, columns = 3000;

/// Adds up a row by the blocks of a cluster. With a place for it, tells how many these are.
__device__ void addRow(const int *in, int *out, int *blocks, int more = 0) {
  __shared__ int part;
  cg::cluster_group cluster = cg::this_cluster();
  int size = int(cluster.num_blocks()), row = blockIdx.x / size, sum = 0;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  for (int i = cluster.block_rank() * blockDim.x + threadIdx.x; i < columns; i += size * blockDim.x)
    sum += in[row * columns + i];
  atomicAdd(&part, sum);
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    sum = more;
    for (int rank = 0; rank < size; ++rank)
      sum += *cluster.map_shared_rank(&part, rank);
    out[row] = sum;
    if (blocks)
      *blocks = size;
  }
  cluster.sync();
}

__global__ void any(const int *in, int *out, int *blocks) { addRow(in, out, blocks); }
template <int> __global__ void rows(const int *in, int *out, int *blocks) { addRow(in, out, blocks); }
__global__ void wrong(const int *in, int *out, int *blocks) { addRow(in, out, blocks, 1); }

template <int Blocks>
constexpr regrain::launch clusters(regrain::launch given, const int *, int *, int *) {
  return {dim3(given.grid.x / given.cluster.x * Blocks), dim3(64), 0, dim3(Blocks)};
}
REGRAIN_VARIANT(any, rows<2>, clusters<2>);
REGRAIN_VARIANT(any, rows<4>, clusters<4>);
REGRAIN_VARIANT(any, rows<8>, clusters<8>);
REGRAIN_VARIANT(any, wrong, clusters<2>);

int main() {
  static int values[count * columns];
  for (int i = 0; i < count * columns; ++i)
    values[i] = i % 77;
  int *in, *out, *blocks, size = 0;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, count * sizeof(int));
  cudaMalloc(&blocks, sizeof(int));
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  for (int cluster : {2, 4}) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(count * cluster);
    config.blockDim = dim3(64);
    config.attrs = &attribute;
    config.numAttrs = 1;
    for (int i = 0; i < 12; ++i)
      cudaLaunchKernelEx(&config, any, (const int *)in, out, (int *)nullptr);
    cudaLaunchKernelEx(&config, any, (const int *)in, out, blocks);
    cudaMemcpy(&size, blocks, sizeof size, cudaMemcpyDeviceToHost);
    printf("%d: %d blocks of a cluster\n", cluster, size);
  }
  cudaDeviceSynchronize();
}
