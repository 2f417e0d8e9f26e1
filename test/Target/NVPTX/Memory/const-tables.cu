// A const variable of the device lies in global memory, as with nvcc, where lanes look up different elements at once. What the
// program puts into constant memory stays there.
//
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:block.x=2' --emit=ptx %s -o - | FileCheck %s --check-prefix=GRAIN

__device__ const float table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
namespace inner {
static __device__ const float hidden[16] = {4, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
}
struct Holder {
  static __device__ const float member[16];
};
__device__ const float Holder::member[16] = {5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__constant__ const float chosen[16] = {9, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__constant__ float written[16];

// CHECK-DAG: .global .align 16 .b8 {{.*}}table[64]
// CHECK-DAG: .global .align 16 .b8 {{.*}}hidden{{.*}}[64]
// CHECK-DAG: .global .align 16 .b8 {{.*}}member{{.*}}[64]
// CHECK-DAG: .const .align 16 .b8 {{.*}}chosen[64]
// CHECK-DAG: .const .align 16 .b8 written[64]
// CHECK: .entry {{.*}}looksUp
// CHECK-COUNT-3: ld.global.nc.f32
// CHECK: ret;
// GRAIN: .entry {{.*}}looksUp{{.*}}__grain_block_x2(
// GRAIN-COUNT-3: ld.global.nc.f32
// GRAIN: ret;
__global__ void looksUp(float *out, const int *places) {
  int i = places[threadIdx.x + blockIdx.x * blockDim.x] & 15;
  out[threadIdx.x + blockIdx.x * blockDim.x] =
      table[i] + inner::hidden[i ^ 1] + Holder::member[i ^ 2] + chosen[i ^ 3] + written[i ^ 4];
}
