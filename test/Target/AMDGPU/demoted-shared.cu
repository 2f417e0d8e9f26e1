// Tiles that keep blocks of 16 threads from being resident move to global memory: no local memory, more
// waves. The space proposes this for chips that gain, and leaves NVIDIA's, which would not, unchanged.
// RUN: %regrain cc -O3 --targets=gfx90a,gfx1100 --coarsen='*:shared=global' -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:shared=global' --emit=hsaco -o %t.hsaco %s
// RUN: llvm-readelf --notes %t.hsaco | FileCheck %s --check-prefix=NOTES
// RUN: %regrain cc --emit=grain --targets=gfx90a --alternatives=12 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=SPACE
// RUN: %regrain cc --emit=grain --targets=compute_90 --alternatives=12 %s 2>/dev/null | grep '^// ' | FileCheck %s --check-prefix=NVIDIA --implicit-check-not=shared=global

__global__ void __launch_bounds__(16) wavefront(const int *reference, int *items, int columns, int penalty, int step) {
  __shared__ int items_tile[17][17];
  __shared__ int reference_tile[16][16];
  int thread = threadIdx.x, first = blockIdx.x * 16, row = (step - 1 - blockIdx.x) * 16;
  int corner = columns * row + first, base = corner + columns + 1;
  if (thread == 0)
    items_tile[0][0] = items[corner];
  for (int y = 0; y < 16; ++y)
    reference_tile[y][thread] = reference[base + columns * y + thread];
  __syncthreads();
  items_tile[thread + 1][0] = items[corner + columns * (thread + 1)];
  items_tile[0][thread + 1] = items[corner + thread + 1];
  __syncthreads();
  for (int m = 0; m < 31; ++m) {
    int x = (m < 16 ? thread : m - 15 + thread) + 1, y = m - x + 2;
    if (thread <= (m < 16 ? m : 30 - m))
      items_tile[y][x] = max(items_tile[y - 1][x - 1] + reference_tile[y - 1][x - 1],
                             max(items_tile[y][x - 1], items_tile[y - 1][x]) - penalty);
    __syncthreads();
  }
  for (int y = 0; y < 16; ++y)
    items[base + columns * y + thread] = items_tile[y + 1][thread + 1];
}

void launch(const int *reference, int *items, int columns) {
  for (int step = 1; step <= columns / 16; ++step)
    wavefront<<<step, 16>>>(reference, items, columns, 10, step);
}

// CHECK: gfx90a original {{.*}} 2192 {{.*}} 87%@16 {{.*}} 7{{$}}
// CHECK: gfx90a shared=global {{.*}} - 0 0 {{.*}} 100%@16 {{.*}} 8 chosen
// CHECK: gfx1100 original {{.*}} 2192 {{.*}} 81%@16 {{.*}} 13{{$}}
// CHECK: gfx1100 shared=global {{.*}} - 0 0 {{.*}} 100%@16 {{.*}} 16 chosen
// NOTES: .group_segment_fixed_size: 0
// SPACE: shared=global
// NVIDIA: block.x=2
