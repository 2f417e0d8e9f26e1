// Of many addresses that a loop advances by the same step, which is not constant, one advances, and the others are
// added to it. Strength reduction would let each of them advance, without the part that depends on the thread.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

#define SUM_OF_GRID(sum, from)                                                                                         \
  for (int j = 0; j < 4; ++j)                                                                                          \
    for (int k = 0; k < 4; ++k)                                                                                        \
      sum += (from)[j * rows + k * planes]

// 16 loads with an addition for each, and one address that advances.
// CHECK-LABEL: .entry grid(
// CHECK: [[LOOP:\$.*]]:
// CHECK-COUNT-15: ld.global.nc.f32
// CHECK: ld.global.nc.f32
// CHECK-NOT: ld.global
// CHECK-NOT: add.s64
// CHECK: add.s64
// CHECK-NOT: add.s64
// CHECK: bra [[LOOP]];
// CHECK: ret;
extern "C" __global__ void grid(float *__restrict__ out, const float *__restrict__ in, long columns, long rows,
                                long planes, int x, int y, int z) {
  float sum = 0;
  in += x * columns + y * rows + z * planes + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < 4; ++i)
    SUM_OF_GRID(sum, in + i * columns);
  out[threadIdx.x] = sum;
}

// A constant step stays in sight: one offset advances by it, to which the addresses of the first iteration are added.
// CHECK-LABEL: .entry constant(
// CHECK: [[LOOP:\$.*]]:
// CHECK-COUNT-16: add.s64
// CHECK: add.s64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 2048;
// CHECK: bra [[LOOP]];
// CHECK: ret;
extern "C" __global__ void constant(float *__restrict__ out, const float *__restrict__ in, long rows, long planes,
                                    int count) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    SUM_OF_GRID(sum, in + threadIdx.x + i * 512l);
  out[threadIdx.x] = sum;
}

// What the kernel writes is not read through the cache for constant data.
// CHECK-LABEL: .entry written(
// CHECK-NOT: ld.global.nc
// CHECK: ret;
extern "C" __global__ void written(float *__restrict__ grid, long columns, long rows, long planes, int count) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    SUM_OF_GRID(sum, grid + threadIdx.x + i * columns);
    grid[threadIdx.x + i] = sum;
  }
}
