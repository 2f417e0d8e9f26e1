// Variables stand in the order of their alignment, each behind those that its initial value names, the same in each run.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK: .align 16 .b8 weights_float[20]
// CHECK: .align 16 .b8 weights_double[40]
// CHECK: .align 4 .u32 c
// CHECK: .align 4 .u32 a
// CHECK: .align 4 .u32 b
// CHECK: .align 16 .u64 places[3]
// CHECK: .align 2 .b8 weights_short[10]
extern "C" {
__constant__ short weights_short[5];
__constant__ float weights_float[5];
__constant__ double weights_double[5];
__device__ int a = 1, b = 2, c = 3;
__device__ int *places[] = {&c, &a, &b};
}

__global__ void weigh(double *out, int i) {
  out[i] = weights_short[i] + weights_float[i] * weights_double[i] + *places[i];
}
