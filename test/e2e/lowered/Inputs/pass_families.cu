//===- pass_families.cu - Code that NVIDIA's passes rewrite -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for each folder of compiler/Target/NVPTX, compared with the same function on the host.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BOTH static __host__ __device__

constexpr int threads = 64, blocks = 3, count = threads * blocks, width = 40;
constexpr int inputs = 4096;

BOTH unsigned mix(unsigned a, unsigned b) { return (a ^ (b * 0x9e3779b9u)) * 31u + (b >> 7); }

// Addresses: rows of a plane at once, an index that wraps around, and a descending one.
BOTH unsigned rows(const unsigned *in, int i, int height) {
  unsigned sum = 0;
  int x = 1 + i % (width - 2);
  for (int y = 1; y < height; ++y)
    sum = mix(sum, in[y * width + x] + in[(y - 1) * width + x - 1] + in[y * width + x + 1]);
  for (unsigned k = 0u - 3u; k != 4u; ++k)
    sum = sum * 3 + in[k + 3u + i];
  for (int k = 20; k >= 0; k -= 1 + height % 2)
    sum = mix(sum, in[i + k]);
  return sum;
}

// Arithmetic: quotients with one divisor, a guarded one, bytes, and numbers that are clamped.
BOTH unsigned numbers(const unsigned *in, int i, int) {
  float divisor = 3.0f + i % 7, a = float(in[i] & 0xffff), b = float(in[i + 1] & 0xff) / divisor;
  unsigned sum = unsigned(a / divisor * 16.0f) + unsigned(b * 1024.0f);
  for (int k = 0; k < 6; ++k) {
    int d = int(in[i + k] % 5) - 1;
    sum = mix(sum, d ? unsigned(int(in[i] >> 3) / d) : 9u);
    int product = 0;
    for (int byte = 0; byte < 4; ++byte)
      product += (signed char)(in[i + k] >> 8 * byte) * (signed char)(in[i] >> 8 * byte);
    int clamped = product < -4000 ? -4000 : product > 5000 ? 5000 : product;
    sum += unsigned(clamped) + (in[i + k] >> 11 & 0x1ff) * 3;
  }
  return sum;
}

// ControlFlow and BackEnd: conditions of conditions, cases, and exits of nested loops.
BOTH unsigned decisions(const unsigned *in, int i, int rounds) {
  unsigned sum = 0;
  for (int k = 0; k < rounds; ++k) {
    unsigned v = in[i + k];
    if (i > 0 && i < count - 1 && (v & 1) == 0)
      sum += in[i + k - 1] + in[i + k + 1];
    switch (v % 9) {
    case 0: sum ^= 77; [[fallthrough]];
    case 1: sum += 5; break;
    case 2: continue;
    case 3: sum = sum >> 1 | sum << 31; break;
    case 5: if (v % 11 == 0) return sum; break;
    default: sum = mix(sum, v);
    }
    for (int j = 0; j < 4; ++j) {
      if (in[i + k + j] % 13 == 0)
        goto next;
      sum += j;
    }
    sum *= 3;
  next:;
  }
  return sum;
}

// Loops and Memory: a search, counters that end anywhere, a table, and an array of the thread.
BOTH unsigned searches(const unsigned *in, int i, int rounds) {
  const unsigned table[] = {3, 1, 4, 1, 5, 9, 2, 6};
  unsigned own[8], sum = 0;
  for (int k = 0; k < 8; ++k)
    own[k] = in[i + k] >> 20;
  int found = 0;
  while (found < 60 && in[i + found] % 17 != 3)
    ++found;
  for (int k = int(in[i] % 3); k < rounds; k += 2) {
    own[(in[i + k] >> 3) % 8] += table[in[i + k] % 8];
    sum = mix(sum, own[k % 8]);
  }
  for (unsigned bits = in[i]; bits; bits &= bits - 1)
    ++sum;
  return sum + unsigned(found);
}

// Memory: an array of the thread that most code accesses at constant places, and some at any place.
BOTH unsigned arrays(const unsigned *in, int i, int rounds) {
  unsigned own[32] = {}, sum = 0;
  for (int r = 0; r < rounds; ++r)
    for (int t = 0; t < 2; ++t)
      for (int e = 0; e < 32; ++e)
        own[e] = mix(own[e], in[i + r * 64 + t * 32 + e]);
  own[in[i] % 32] ^= 77;
#pragma unroll
  for (int t = 0; t < 6; ++t)
    for (int e = 0; e < 32; ++e)
      own[e] = mix(own[(e + t) & 31], in[i + e]);
  for (int k = int(in[i] % 3); k < 32; k += 1 + rounds % 3)
    sum = mix(sum, own[k]);
  return sum;
}

// Addresses: rows and columns of a swizzled tile.
BOTH unsigned swizzles(const unsigned *in, int i, int rounds) {
  unsigned sum = 0, lane = in[i] & 7;
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (unsigned row = 0; row < 10; ++row)
#pragma unroll
      for (unsigned column = 0; column < 8; ++column)
        sum = mix(sum, in[(i + row * 256) ^ (column * 8 + lane)]);
  return sum;
}

using Compute = unsigned (*)(const unsigned *, int, int);

template <Compute compute>
__global__ void each(unsigned *out, const unsigned *in, int parameter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = compute(in, i, parameter);
}

// Loops with barriers: each thread adds what all threads of its block have staged.
BOTH unsigned stagedBy(const unsigned *in, int block, int tile, int thread) {
  return in[(block * 7 + tile * threads + thread) % inputs];
}
__global__ void tiles(unsigned *__restrict__ out, const unsigned *__restrict__ in, int last) {
  __shared__ unsigned staged[threads];
  unsigned sum = 0;
  for (int tile = 0; tile < last; ++tile) {
    staged[threadIdx.x] = stagedBy(in, blockIdx.x, tile, threadIdx.x);
    __syncthreads();
    for (int k = 0; k < threads; k += 5)
      sum = mix(sum, staged[(k + threadIdx.x) % threads]);
    __syncthreads();
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
}
static unsigned tilesOf(const unsigned *in, int i, int last) {
  unsigned sum = 0;
  for (int tile = 0; tile < last; ++tile)
    for (int k = 0; k < threads; k += 5)
      sum = mix(sum, stagedBy(in, i / threads, tile, (k + i) % threads));
  return sum;
}

// Warps: a block of one warp, whose lanes exchange numbers in a loop.
__global__ void __launch_bounds__(32) lanes(unsigned *out, const unsigned *in, int rounds) {
  __shared__ unsigned shared[32];
  int i = blockIdx.x * 32 + threadIdx.x;
  unsigned v = in[i];
  for (int k = 0; k < rounds; ++k) {
    v = mix(v, __shfl_xor_sync(~0u, v, 1 << k % 5));
    shared[threadIdx.x] = v;
    __syncthreads();
    v += shared[(threadIdx.x + 1) % 32];
    __syncthreads();
  }
  out[i] = v;
}
static unsigned lanesOf(const unsigned *in, int i, int rounds) {
  unsigned v[32], next[32];
  for (int lane = 0; lane < 32; ++lane)
    v[lane] = in[i / 32 * 32 + lane];
  for (int k = 0; k < rounds; ++k) {
    for (int lane = 0; lane < 32; ++lane)
      next[lane] = mix(v[lane], v[lane ^ 1 << k % 5]);
    for (int lane = 0; lane < 32; ++lane)
      v[lane] = next[lane] + next[(lane + 1) % 32];
  }
  return v[i % 32];
}

static unsigned *out, *in;
static std::vector<unsigned> numbersIn(inputs);
static int wrong;

template <typename Kernel, typename Reference>
void check(const char *name, Kernel kernel, Reference reference, int blockThreads, int parameter) {
  std::vector<unsigned> got(count);
  cudaMemset(out, 0x5a, count * sizeof(unsigned));
  kernel<<<count / blockThreads, blockThreads>>>(out, in, parameter);
  cudaMemcpy(got.data(), out, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    unsigned wanted = reference(numbersIn.data(), i, parameter);
    if (got[i] != wanted && !wrong++)
      std::printf("%s: element %d is %08x, not %08x\n", name, i, got[i], wanted);
  }
}

int main() {
  unsigned state = 1;
  for (unsigned &number : numbersIn) {
    state = state * 1664525u + 1013904223u;
    number = state ^ state >> 15;
  }
  cudaMalloc(&out, count * sizeof(unsigned));
  cudaMalloc(&in, inputs * sizeof(unsigned));
  cudaMemcpy(in, numbersIn.data(), inputs * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (int parameter : {0, 1, 6, 13}) {
    check("rows", each<rows>, rows, threads, parameter);
    check("numbers", each<numbers>, numbers, threads, parameter);
    check("decisions", each<decisions>, decisions, threads, parameter);
    check("searches", each<searches>, searches, threads, parameter);
    check("arrays", each<arrays>, arrays, threads, parameter);
    check("swizzles", each<swizzles>, swizzles, threads, parameter);
    check("tiles", tiles, tilesOf, threads, parameter);
    check("lanes", lanes, lanesOf, 32, parameter);
  }
  std::printf("pass_families: %s\n", wrong ? "wrong" : "ok");
  return wrong != 0;
}
