// loads=readonly takes the read-only path where it is proved that no thread of the launch writes the memory,
// also where LLVM does not find that: the pointers in a structure are unknown, the variables are not.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:loads=readonly' --emit=ptx %s | FileCheck %s

__device__ float table[4096], sums[4096];

// CHECK-LABEL: .entry variables__grain_loadsreadonly(
// CHECK: ld.global.nc.f32
// CHECK: bar.sync
// CHECK: st.global.f32
extern "C" __global__ void variables() {
  __shared__ float part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = table[i];
  __syncthreads();
  sums[i] = part[255 - threadIdx.x];
}

// CHECK-LABEL: .entry restricted__grain_loadsreadonly(
// CHECK: ld.global.nc.f32
// CHECK: ld.global.f32
// CHECK: st.global.f32
extern "C" __global__ void restricted(float *__restrict__ out, const float *__restrict__ in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + out[i];
}
