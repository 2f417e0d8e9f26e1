// What a loop does not change in shared memory is read in each iteration if it takes many registers beside what an
// iteration loads from memory.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s

template <int count>
static __device__ float product(const float2 *__restrict__ keys, const float2 *query) {
  float2 key[count];
#pragma unroll
  for (int i = 0; i < count; ++i)
    key[i] = keys[i];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < count; ++i)
    sum += query[i].x * key[i].x + query[i].y * key[i].y;
  return sum;
}

// CHECK-LABEL: .entry scores(
// CHECK: bar.sync
// CHECK-NOT: ld.shared
// CHECK-COUNT-32: ld.global.nc.v2.f32
// CHECK-COUNT-32: ld.shared.v2.f32
// CHECK-NOT: ld.shared
// CHECK: ret;
extern "C" __global__ void scores(float *__restrict__ out, const float2 *__restrict__ keys,
                                  const float2 *__restrict__ query, int count) {
  __shared__ float2 held[32];
  held[threadIdx.x % 32] = query[threadIdx.x % 32];
  __syncthreads();
  for (int token = threadIdx.x; token < count; token += blockDim.x)
    out[token] = product<32>(keys + token * 32, held);
}

// So is what is loaded as words and taken apart in front of the loop, as copies of structures are.

// CHECK-LABEL: .entry words(
// CHECK: bar.sync
// CHECK-NOT: ld.shared
// CHECK-COUNT-32: ld.global.nc.v2.f32
// CHECK-COUNT-32: ld.shared.v2.u32
// CHECK-NOT: ld.shared
// CHECK: ret;
extern "C" __global__ void words(float *__restrict__ out, const float2 *__restrict__ keys,
                                 const float2 *__restrict__ query, int count) {
  __shared__ float2 held[32];
  held[threadIdx.x % 32] = query[threadIdx.x % 32];
  __syncthreads();
  for (int token = threadIdx.x; token < count; token += blockDim.x) {
    float2 key[32];
    float sum = 0;
    for (int i = 0; i < 32; ++i)
      key[i] = keys[token * 32 + i];
    for (int i = 0; i < 32; ++i) {
      auto word = *reinterpret_cast<unsigned long long *>(&held[i]);
      sum += __uint_as_float(unsigned(word)) * key[i].x + __uint_as_float(unsigned(word >> 32)) * key[i].y;
    }
    out[token] = sum;
  }
}

// A few stay in registers.

// CHECK-LABEL: .entry few(
// CHECK: bar.sync
// CHECK-COUNT-8: ld.shared.v2.f32
// CHECK: ld.global.nc.v2.f32
// CHECK-NOT: ld.shared
// CHECK: ret;
extern "C" __global__ void few(float *__restrict__ out, const float2 *__restrict__ keys,
                               const float2 *__restrict__ query, int count) {
  __shared__ float2 held[8];
  held[threadIdx.x % 8] = query[threadIdx.x % 8];
  __syncthreads();
  for (int token = threadIdx.x; token < count; token += blockDim.x)
    out[token] = product<8>(keys + token * 8, held);
}

// So do those that the thread writes behind the loads,

// CHECK-LABEL: .entry written_before(
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: st.shared
// CHECK: ld.global.nc.v2.f32
// CHECK-NOT: ld.shared
// CHECK: ret;
extern "C" __global__ void written_before(float *__restrict__ out, const float2 *__restrict__ keys,
                                          const float2 *__restrict__ query, unsigned count, int place) {
  __shared__ float2 held[32];
  held[threadIdx.x % 32] = query[threadIdx.x % 32];
  __syncthreads();
  if (threadIdx.x >= count)
    return;
  float2 own[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    own[i] = held[i];
  held[place] = make_float2(1, 2);
  for (unsigned token = threadIdx.x; token < count; token += blockDim.x)
    out[token] = product<32>(keys + token * 32, own);
}

// or in the loop,

// CHECK-LABEL: .entry written(
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: ld.global.nc.v2.f32
// CHECK-NOT: ld.shared
// CHECK: st.shared
// CHECK: ret;
extern "C" __global__ void written(float *__restrict__ out, const float2 *__restrict__ keys,
                                   const float2 *__restrict__ query, unsigned count) {
  __shared__ float2 held[32];
  held[threadIdx.x % 32] = query[threadIdx.x % 32];
  __syncthreads();
  if (threadIdx.x >= count)
    return;
  float2 own[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    own[i] = held[i];
  for (unsigned token = threadIdx.x; token < count; token += blockDim.x) {
    float sum = product<32>(keys + token * 32, own);
    out[token] = sum;
    held[token % 32] = make_float2(sum, sum);
  }
}

// and those that other threads may write because the loop has a barrier,

// CHECK-LABEL: .entry meets(
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: ld.global.nc.v2.f32
// CHECK-NOT: ld.shared
// CHECK: bar.sync
// CHECK: ret;
extern "C" __global__ void meets(float *__restrict__ out, const float2 *__restrict__ keys,
                                 const float2 *__restrict__ query, int count) {
  __shared__ float2 held[32];
  held[threadIdx.x % 32] = query[threadIdx.x % 32];
  __syncthreads();
  float2 own[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    own[i] = held[i];
  for (int token = 0; token < count; ++token) {
    out[token] = product<32>(keys + token * 32, own);
    __syncthreads();
  }
}

// or tells them by an atomic operation that it has read.

// CHECK-LABEL: .entry tells(
// CHECK: bar.sync
// CHECK: ld.shared
// CHECK: ld.global.nc.v2.f32
// CHECK-NOT: ld.shared
// CHECK: ret;
extern "C" __global__ void tells(float *__restrict__ out, const float2 *__restrict__ keys,
                                 const float2 *__restrict__ query, unsigned count) {
  __shared__ float2 held[32];
  held[threadIdx.x % 32] = query[threadIdx.x % 32];
  __syncthreads();
  if (threadIdx.x >= count)
    return;
  float2 own[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    own[i] = held[i];
  for (unsigned token = threadIdx.x; token < count; token += blockDim.x)
    atomicAdd(&out[token % 8], product<32>(keys + token * 32, own));
}
