// Elements of a small array are in registers where their places are constant, although other accesses find theirs by a
// number: these have them in local memory.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

using Sums = float[8][8];

// More accesses than LLVM's pass for invariant code looks at.
__device__ void accumulate(Sums &sums, const float4 *in, int count) {
#pragma unroll 1
  for (int k = 0; k < count; ++k) {
    __syncthreads();
#pragma unroll
    for (int t = 0; t < 9; ++t) {
      float4 a = in[k * 16 + 2 * t], b = in[k * 16 + 2 * t + 1];
      float left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          sums[i][j] += left[i & 3] * right[j & 3];
    }
  }
}

__device__ void store(float *out, const Sums &sums) {
#pragma unroll 1
  for (int i = 0; i < 64; ++i)
    out[i * 32 + threadIdx.x] = (&sums[0][0])[i];
}

// The array is stored once, in front of the loop that is not unrolled.
// CHECK-LABEL: .entry _Z7productPfPK6float4i(
// CHECK-NOT: .local.{{v4|u32}}
// CHECK: bar.sync
// CHECK-NOT: .local.
// CHECK: @%p{{[0-9]+}} bra
// CHECK-COUNT-16: st.local.v4.f32
// CHECK-NOT: st.local
// CHECK: ld.local.f32
// CHECK-NOT: .local.
// CHECK: ret;
__global__ void product(float *out, const float4 *in, int count) {
  Sums sums = {};
  accumulate(sums, in, count);
  store(out, sums);
}

// The same for each tile.
// CHECK-LABEL: .entry _Z5tilesPfPK6float4ii(
// CHECK-NOT: .local.{{v4|u32}}
// CHECK: bar.sync
// CHECK-NOT: .local.
// CHECK: @%p{{[0-9]+}} bra
// CHECK-COUNT-16: st.local.v4.f32
// CHECK-NOT: st.local
// CHECK: ld.local.f32
// CHECK-NOT: .local.
// CHECK: ret;
__global__ void tiles(float *out, const float4 *in, int count, int more) {
#pragma unroll 1
  for (int t = blockIdx.x; t < more; t += gridDim.x) {
    Sums sums = {};
    accumulate(sums, in + t * 1024, count);
    store(out + t * 4096, sums);
  }
}

// What writes at any place is followed by loads.
// CHECK-LABEL: .entry _Z7changesPfPK6float4i(
// CHECK: bar.sync
// CHECK-NOT: .local.
// CHECK: @%p{{[0-9]+}} bra
// CHECK-COUNT-16: st.local.v4.f32
// CHECK: st.local.u32
// CHECK-COUNT-16: ld.local.v4.f32
// CHECK: bar.sync
// CHECK-NOT: .local.
// CHECK: ret;
__global__ void changes(float *out, const float4 *in, int count) {
  Sums sums = {};
  accumulate(sums, in, count);
  sums[threadIdx.x & 7][threadIdx.y & 7] = 0.5f;
  accumulate(sums, in + 64, count);
#pragma unroll
  for (int i = 0; i < 64; ++i)
    out[i * 32 + threadIdx.x] = (&sums[0][0])[i];
}

// Each iteration finds an element by a number, so that all of them would be stored and loaded each time.
// CHECK-LABEL: .entry _Z5oftenPjPKji(
// CHECK: @%p{{[0-9]+}} bra
// CHECK-NOT: st.local.v4
// CHECK-COUNT-2: ld.local.u32
// CHECK-NOT: .local.v4
// CHECK: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void often(unsigned *out, const unsigned *in, int count) {
  unsigned state[8] = {};
#pragma unroll 1
  for (int k = 0; k < count; ++k) {
    state[in[k] & 7] += 3;
    state[2] ^= k;
  }
  out[threadIdx.x] = state[2] + state[3];
}

// A part of the array is accessed as a whole, and in halves.
// CHECK-LABEL: .entry _Z6halvesPtPKji(
// CHECK: bar.sync
// CHECK-NOT: bra
// CHECK: st.local.u16
// CHECK: ld.local.u32
// CHECK: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void halves(unsigned short *out, const unsigned *in, int count) {
  unsigned state[4] = {};
#pragma unroll 1
  for (int k = 0; k < count; ++k) {
    __syncthreads();
    state[0] += in[k];
    ((unsigned short *)state)[1] ^= k;
    state[1] += state[0];
  }
#pragma unroll 1
  for (int i = 0; i < 8; ++i)
    out[i] = ((unsigned short *)state)[i];
}

// Bytes within an element are filled.
// CHECK-LABEL: .entry _Z5fillsPfPK6float4i(
// CHECK: bar.sync
// CHECK-NOT: bra
// CHECK: ld.local
// CHECK: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void fills(float *out, const float4 *in, int count) {
  Sums sums = {};
  accumulate(sums, in, count);
  memset((char *)&sums[1][1] + 1, 0, 3);
  accumulate(sums, in + 64, count);
  store(out, sums);
}

// Others may know the address.
// CHECK-LABEL: .entry _Z7escapesPfPS_PK6float4i(
// CHECK: bar.sync
// CHECK-NOT: bra
// CHECK: ld.local
// CHECK: @%p{{[0-9]+}} bra
// CHECK: ret;
__global__ void escapes(float *out, float **place, const float4 *in, int count) {
  Sums sums = {};
  *place = &sums[0][0];
  accumulate(sums, in, count);
  store(out, sums);
}
