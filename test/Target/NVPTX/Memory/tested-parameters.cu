// A program that asks whether its rows are aligned makes numbers of their addresses. What is only read through them is
// read through the cache that need not see writes, also over a barrier.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s

// CHECK-LABEL: .entry tested(
// CHECK: ld.global.nc.u32
// CHECK: bar.sync
// CHECK-DAG: ld.global.nc.v4.f32
// CHECK-DAG: ld.global.nc.f32
// CHECK-NOT: ld.global.v4.f32
// CHECK: ret;
extern "C" __global__ void tested(float *__restrict__ out, const float *__restrict__ in,
                                  const int *__restrict__ rows, int width) {
  __shared__ int row;
  if (threadIdx.x == 0)
    row = rows[blockIdx.x];
  __syncthreads();
  const float *from = in + row * width + threadIdx.x * 4;
  if (reinterpret_cast<uintptr_t>(from) % 16 == 0) {
    float4 four = *reinterpret_cast<const float4 *>(from);
    out[blockIdx.x * blockDim.x + threadIdx.x] = four.x + four.y + four.z + four.w;
  } else {
    float sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += from[i] * 2;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  }
}

// The question may be another function's.

// CHECK-LABEL: .entry asked(
// CHECK: ld.global.nc.f32
// CHECK: ret;
__device__ bool isAligned(const void *p, unsigned bytes) { return (uintptr_t(p) & (bytes - 1)) == 0; }
extern "C" __global__ void asked(float *__restrict__ out, const float *__restrict__ in) {
  out[threadIdx.x] = in[threadIdx.x] + (isAligned(in, 16) && isAligned(out, 16) ? 1 : 2);
}

// What is written is loaded as usual.

// CHECK-LABEL: .entry written(
// CHECK-NOT: .nc
// CHECK: ret;
extern "C" __global__ void written(float *__restrict__ out) {
  float before = out[threadIdx.x];
  __syncthreads();
  if (reinterpret_cast<uintptr_t>(out) % 16 == 0)
    out[threadIdx.x ^ 1] = before + 1;
  __syncthreads();
  out[threadIdx.x] += out[threadIdx.x ^ 2];
}

// A number that becomes an address again may be written through.

// CHECK-LABEL: .entry becomes_address(
// CHECK-NOT: .nc
// CHECK: ld.global.f32
// CHECK: st.global.f32
// CHECK: bar.sync
// CHECK: ld.global.f32
// CHECK: ret;
extern "C" __global__ void becomes_address(float *__restrict__ out, float *__restrict__ in) {
  float before = in[threadIdx.x];
  __syncthreads();
  uintptr_t number = reinterpret_cast<uintptr_t>(in);
  reinterpret_cast<float *>(number)[threadIdx.x ^ 1] = before + 1;
  __syncthreads();
  out[threadIdx.x] = before + in[threadIdx.x];
}

// So may one that has been computed with.

// CHECK-LABEL: .entry rounded(
// CHECK-NOT: .nc
// CHECK: ret;
extern "C" __global__ void rounded(float *__restrict__ out, float *__restrict__ in) {
  float before = in[threadIdx.x];
  __syncthreads();
  uintptr_t number = reinterpret_cast<uintptr_t>(in) & ~uintptr_t(255);
  reinterpret_cast<float *>(number)[threadIdx.x ^ 1] = before + 1;
  __syncthreads();
  out[threadIdx.x] = before + in[threadIdx.x];
}

// So may one that is stored.

// CHECK-LABEL: .entry told(
// CHECK-NOT: .nc
// CHECK: ret;
extern "C" __global__ void told(uintptr_t *__restrict__ places, float *__restrict__ out,
                                float *__restrict__ in) {
  places[threadIdx.x] = reinterpret_cast<uintptr_t>(in) + 4 * threadIdx.x;
  out[threadIdx.x] = in[threadIdx.x];
}

// Volatile loads stay.

// CHECK-LABEL: .entry watched(
// CHECK-NOT: .nc
// CHECK: ld.volatile.global.u32
// CHECK: ret;
extern "C" __global__ void watched(int *__restrict__ out, const volatile int *__restrict__ in) {
  out[threadIdx.x] = in[threadIdx.x] + (reinterpret_cast<uintptr_t>(in) % 16 == 0);
}

// The launch in front may write until this one has waited for it.

// CHECK-LABEL: .entry waits(
// CHECK: griddepcontrol.wait;
// CHECK-NOT: .nc
// CHECK: ret;
extern "C" __global__ void waits(float *__restrict__ out, const float *__restrict__ in) {
  cudaGridDependencySynchronize();
  out[threadIdx.x] = in[threadIdx.x] + (reinterpret_cast<uintptr_t>(in) % 16 == 0);
}
