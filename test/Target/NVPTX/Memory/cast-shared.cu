// Shared arrays that the program reads as wider types are aligned for them, so that the accesses are as wide, in the
// originals with and without alternatives. Other arrays stay as they are, and so does a kernel that then had too much.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:block.x=2' --emit=ptx %s | FileCheck %s --check-prefixes=CHECK,GRAIN

// CHECK-LABEL: .entry sums(
// CHECK: .shared .align 16 .b8 {{.*}}tile[4096]
// CHECK: .shared .align 4 .b8 {{.*}}other[64]
// CHECK: st.shared.v4
// CHECK: ld.shared.v4
// CHECK-NOT: ld.shared.f32 %{{.*}}tile
// CHECK: ret;
extern "C" __global__ void sums(const float *a, float *c) {
  __shared__ float tile[16][64];
  __shared__ float other[16];
  int t = threadIdx.x;
  if (t < 16)
    other[t] = c[t];
  *reinterpret_cast<float4 *>(&tile[t / 16][(t % 16) * 4]) = reinterpret_cast<const float4 *>(a)[t];
  __syncthreads();
  float sum = other[t & 15];
#pragma unroll 1
  for (int k = 0; k < 16; ++k) {
    float4 four = *reinterpret_cast<float4 *>(&tile[k][(t % 16) * 4]);
    sum += four.x + four.y * four.z * four.w;
  }
  c[t] = sum;
}

// An index that may be odd leaves single words.
// CHECK-LABEL: .entry odd(
// CHECK-NOT: shared.v
// CHECK: ret;
extern "C" __global__ void odd(float *c, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = c[threadIdx.x];
  __syncthreads();
  float4 four = *reinterpret_cast<float4 *>(&tile[threadIdx.x * 3 + n]);
  c[threadIdx.x] = four.x + four.y + four.z + four.w;
}

// Three bytes before the array, and no room for 16.
// CHECK-LABEL: .entry full(
// CHECK: .shared .align 4 .b8 {{.*}}tile[49148]
// CHECK: ret;
extern "C" __global__ void full(float *c) {
  __shared__ char first[3];
  __shared__ float tile[12287];
  first[threadIdx.x % 3] = 1;
  tile[threadIdx.x] = c[threadIdx.x];
  __syncthreads();
  float4 four = *reinterpret_cast<float4 *>(&tile[threadIdx.x * 4]);
  c[threadIdx.x] = four.x + four.y + four.z + four.w + first[threadIdx.x % 3];
}

// Dynamic shared memory begins at a multiple of 16 bytes.
// CHECK-LABEL: .entry dynamic(
// CHECK: ld.shared.v4
// CHECK: ret;
extern "C" __global__ void dynamic(float *c) {
  extern __shared__ float memory[];
  memory[threadIdx.x] = c[threadIdx.x];
  __syncthreads();
  float4 four = *reinterpret_cast<float4 *>(&memory[threadIdx.x * 4]);
  c[threadIdx.x] = four.x + four.y + four.z + four.w;
}
// GRAIN: .entry sums__grain_
// GRAIN: ld.shared.v4
