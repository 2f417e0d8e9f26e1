// Integer built-ins and atomics have the same results as on NVIDIA's warps.
// (RoundingTests.cpp compares directed rounding with that of this machine.)
// RUN: %device-ir %s -o %t.ll
// RUN: regrain-amdgpu-test %t.ll --block=96 --grid=2 --kernel=_Z7atomicsPiPKii | FileCheck %s
// RUN: regrain-amdgpu-test %t.ll --block=96 --grid=2 -O0 --code-object-version=4 | FileCheck %s
// CHECK-NOT: refused
// CHECK: gfx1100 _Z7atomicsPiPKii: agrees
#include <cuda_fp16.h>
__device__ unsigned mix(unsigned hash, unsigned value) { return hash * 31u + value; }
__device__ int global() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void integers(int *out, const int *in, int n) {
  int i = global();
  unsigned a = in[i], b = in[n - 1 - i], hash = 0;
  hash = mix(hash, __byte_perm(a, b, 0x1234));
  hash = mix(hash, __byte_perm(a, b, b));
  hash = mix(hash, __popc(a) + 64 * __clz(a) + 4096 * __ffs(a));
  hash = mix(hash, __brev(a));
  hash = mix(hash, __popcll((unsigned long long)a << 20) + 64 * __clzll(b));
  hash = mix(hash, __mulhi((int)a, (int)b) ^ __umulhi(a, b));
  hash = mix(hash, __mul24(a, b) ^ __umul24(a, b));
  hash = mix(hash, __sad((int)a, (int)b, 5u) ^ __usad(a, b, 7));
  hash = mix(hash, __hadd(a, b) ^ __rhadd(a, b));
  hash = mix(hash, __dp4a(a, b, 3u) ^ (unsigned)__dp4a((int)a, (int)b, 9));
  out[i] = hash;
}

// A zero keeps its sign, or gets that of the adjacent number.
__global__ void zeros(int *out, const int *in, int n) {
  float zero = __int_as_float(in[0] & 0 | 0x80000000u), least = __int_as_float(in[0] & 0 | 0x80000001u);
  unsigned hash = __float_as_uint(expm1f(zero));
  hash = mix(hash, __float_as_uint(log1pf(zero)));
  hash = mix(hash, __float_as_uint(nextafterf(least, 1)));
  hash = mix(hash, __float_as_uint(nextafterf(zero, 1)));
  hash = mix(hash, (unsigned)__double2hiint(expm1((double)zero)));
  hash = mix(hash, (unsigned)__double2hiint(log1p((double)zero)));
  out[global()] = hash;
}

__global__ void atomics(int *out, const int *in, int n) {
  __shared__ int shared;
  __shared__ float sum;
  shared = 0;
  sum = 0;
  __syncthreads();
  atomicAdd(&shared, in[global()] & 7);
  atomicAdd(&sum, (float)(in[global()] & 7));
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&out[0], shared);
    atomicMax_block(&out[1 + blockIdx.x], shared);
    atomicExch(&out[4 + blockIdx.x], (int)sum);
  }
  atomicInc((unsigned *)&out[8], 50);
  atomicAdd_system(&out[9], 1);
  atomicAdd((float *)&out[10], 1.0f);
  atomicAdd((double *)&out[12], 0.5);
  atomicOr(&out[14], in[global()]);
  atomicMin((unsigned *)&out[15], 3u);
  atomicAdd((__half2 *)&out[16], __half2(1.0f, 2.0f));
}
