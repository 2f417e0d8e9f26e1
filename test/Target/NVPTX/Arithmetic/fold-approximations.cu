// __log2f and __powf of constants are folded if the machine's approximation is exact, so that loops
// over powers of two are counted and unrolled; otherwise, or if that is not known, they stay.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='reduce:block.x=2' --emit=ptx %s | FileCheck %s --check-prefix=COARSE
// RUN: %regrain cc -O3 --targets=ptx --coarsen='reduce:block.x=2' --emit=grain %s | FileCheck %s --check-prefix=GRAIN

// CHECK-LABEL: .entry _Z6reducePf
// CHECK-NOT: lg2.approx
// CHECK-NOT: ex2.approx
// CHECK-NOT: rem.
// CHECK: and.b32 {{.*}}, 1;
// CHECK: and.b32 {{.*}}, 3;
// CHECK: and.b32 {{.*}}, 7;
// CHECK: ret;
// COARSE-LABEL: .entry _Z6reducePf
// COARSE-NOT: lg2.approx
// COARSE-NOT: rem.
// COARSE: ret;
// GRAIN: at block.x=2
// GRAIN: scf.for %{{.*}} = %c1_i32 to %c4_i32
__global__ void reduce(float *data) {
  __shared__ float sums[8];
  sums[threadIdx.x] = data[blockIdx.x * 8 + threadIdx.x];
  __syncthreads();
  for (int i = 1; i <= __log2f(8); ++i) {
    int step = __powf(2, i);
    if (threadIdx.x % step == 0)
      sums[threadIdx.x] += sums[threadIdx.x + step / 2];
    __syncthreads();
  }
  data[blockIdx.x * 8 + threadIdx.x] = sums[threadIdx.x];
}

// A power of two below 1 differs by one unit in the last place on the machine;
// 3 is not a power of two; 2^0.5 is rounded; 2^128 overflows.
// CHECK-LABEL: .entry _Z5staysPf
// CHECK-COUNT-3: lg2.approx
// CHECK-COUNT-2: ex2.approx
__global__ void stays(float *data) {
  data[0] = __log2f(0.5f);
  data[1] = __log2f(3.0f);
  data[2] = __powf(0.25f, 2.0f);
  data[3] = __powf(2.0f, 128.0f);
}
