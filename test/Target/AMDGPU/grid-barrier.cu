// A module with a barrier over the grid has one more parameter in each kernel, the address of the launch's
// workspace. It is the last one, and ends where the implicit arguments begin.
// RUN: %regrain cc -c -O2 --cuda-path=none --targets=gfx90a,gfx1100 %s -o %t.o
// RUN: rm -rf %t.code && mkdir %t.code && %regrain inspect --extract=%t.code %t.o
// RUN: cat %t.code/*gfx90a* > %t.gfx90a && llvm-readelf --notes %t.gfx90a | FileCheck %s
// RUN: cat %t.code/*gfx1100* > %t.gfx1100 && llvm-readelf --notes %t.gfx1100 | FileCheck %s
// RUN: llvm-readelf --symbols %t.gfx90a | FileCheck %s --check-prefix=MARKER
// CHECK: .offset: 0
// CHECK-NEXT: .size: 1
// CHECK: .offset: 8
// CHECK-NEXT: .size: 8
// CHECK-NEXT: .value_kind: global_buffer
// CHECK: .offset: 16
// CHECK-NEXT: .size: 8
// CHECK-NEXT: .value_kind: by_value
// CHECK-NEXT: .offset: 24
// CHECK-NEXT: .size: 4
// CHECK-NEXT: .value_kind: hidden_block_count_x
// MARKER: PROTECTED {{.*}} regrain_grid_workspace
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ __noinline__ bool valid() { return cg::this_grid().is_valid(); }
__global__ void twoPhases(char value, int *out) {
  cg::grid_group grid = cg::this_grid();
  out[grid.thread_rank()] = value;
  grid.sync();
  out[grid.thread_rank()] += out[0] + valid();
}
