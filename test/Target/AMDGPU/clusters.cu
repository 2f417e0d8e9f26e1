// A cluster is one block, whose operations are those of the block.
// REQUIRES: rocm-device-libs
// RUN: %regrain cc -c --targets=gfx90a,gfx1100 -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s
// CHECK: clusters(int*, int const*, int)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void clusters(int *out, const int *in, int n) {
  __shared__ int shared[128];
  cg::cluster_group cluster = cg::this_cluster();
  cg::grid_group grid = cg::this_grid();
  unsigned thread = cluster.thread_rank();
  shared[thread] = in[thread];
  cluster.sync();
  int *own = cluster.map_shared_rank(shared, cluster.block_rank());
  int value = own[cluster.num_threads() - 1 - thread];
  value = value * 31 + cluster.num_blocks() + 2 * cluster.dim_blocks().y;
  value = value * 31 + grid.cluster_index().x + 4 * grid.dim_clusters().x;
  value = value * 31 + cluster.query_shared_rank(own) + 2 * __isClusterShared(own);
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<decltype(token) &&>(token));
  out[grid.thread_rank()] = value;
}
