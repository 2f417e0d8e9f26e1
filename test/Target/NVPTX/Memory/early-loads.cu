// A load that all threads come to stands in front of a part that only some run, if that part loads, too.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry _Z4edgePfPKfi(
// CHECK-NOT: bra
// CHECK: ld.global.nc
// CHECK: bra
// CHECK: ld.global.nc
// CHECK: bar.sync
__global__ void edge(float *out, const float *__restrict__ in, int n) {
  __shared__ float tile[288];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x < n)
    tile[threadIdx.x] = in[i * 3 + n];
  tile[threadIdx.x + n] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2 * n];
}

// A kernel's arguments do not point to shared memory.
// CHECK-LABEL: .entry _Z12any_pointersPfPKfi(
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK: bra
// CHECK: ld.global
// CHECK: bar.sync
__global__ void any_pointers(float *out, const float *in, int n) {
  __shared__ float tile[288];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x < n)
    tile[threadIdx.x] = in[i * 3 + n];
  tile[threadIdx.x + n] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2 * n];
}

// The part may write what is loaded.
// CHECK-LABEL: .entry _Z6writesPfPKfS_i(
// CHECK: bra
// CHECK: ld.global
// CHECK: st.global
// CHECK: ld.global
// CHECK: ret;
__global__ void writes(float *out, const float *in, float *other, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x < n)
    other[i] = in[i * 3 + n] * 5;
  out[i] = in[i];
}

// Nobody waits for a part without loads.
// CHECK-LABEL: .entry _Z5fillsPfPKfi(
// CHECK: bra
// CHECK: ld.global.nc
// CHECK: bar.sync
__global__ void fills(float *out, const float *__restrict__ in, int n) {
  __shared__ float tile[288];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x < n)
    tile[threadIdx.x * 3] = n;
  tile[threadIdx.x + n] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2 * n];
}

// Some threads leave, and do not come to the load.
// CHECK-LABEL: .entry _Z6leavesPfPKfii(
// CHECK: bra
// CHECK: ld.global.nc
// CHECK: bra
// CHECK: ld.global.nc
// CHECK: ret;
__global__ void leaves(float *out, const float *__restrict__ in, int n, int m) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x < n) {
    out[i] = in[i * 3 + n];
    if (threadIdx.x < m)
      return;
  }
  out[i + n] = in[m];
}
