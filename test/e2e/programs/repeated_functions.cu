//===- repeated_functions.cu - Functions that only originals call *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On NVIDIA GPUs, the function stays a call in the original, because its copies would be large. The
// grains need its barriers and coordinates, so it is inlined there.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, steps = 12, calls = 16;

__shared__ unsigned state[threads];

/// The steps are written out, so that the copies are large.
#define STEP(number)                                                                               \
  next = next * 1664525u + state[(threadIdx.x + number) % threads];                                \
  next ^= next >> 7;
#define STEPS(first) STEP(first) STEP(first + 1) STEP(first + 2) STEP(first + 3)

__device__ __noinline__ void draw() {
  unsigned next = state[threadIdx.x];
  STEPS(1);
  STEPS(5);
  STEPS(9);
  __syncthreads();
  state[threadIdx.x] = next;
  __syncthreads();
}

__device__ unsigned drawn(unsigned x) {
  draw();
  return x ^ state[threads - 1 - threadIdx.x];
}

__global__ void draws(unsigned *out) {
  state[threadIdx.x] = threadIdx.x * 77 + blockIdx.x;
  __syncthreads();
  unsigned x = 0;
#define CALLS                                                                                      \
  x = drawn(x) * 3;                                                                                \
  x = drawn(x) + 5;                                                                                \
  x = drawn(x) * 7;                                                                                \
  x = drawn(x) + 9
  CALLS;
  CALLS;
  CALLS;
  CALLS;
  out[blockIdx.x * threads + threadIdx.x] = x;
}

static std::vector<unsigned> reference(unsigned block) {
  std::vector<unsigned> state(threads), out(threads);
  for (unsigned t = 0; t < threads; ++t)
    state[t] = t * 77 + block;
  for (unsigned call = 0; call < calls; ++call) {
    std::vector<unsigned> after(state);
    for (unsigned t = 0; t < threads; ++t)
      for (unsigned step = 0; step < steps; ++step) {
        after[t] = after[t] * 1664525u + state[(t + step + 1) % threads];
        after[t] ^= after[t] >> 7;
      }
    state = after;
    for (unsigned t = 0; t < threads; ++t) {
      unsigned x = out[t] ^ state[threads - 1 - t];
      out[t] = call % 2 ? x + (call % 4 == 1 ? 5 : 9) : x * (call % 4 == 0 ? 3 : 7);
    }
  }
  return out;
}

int main() {
  constexpr unsigned blocks = 6;
  DeviceArray<unsigned> out(blocks * threads);
  draws<<<blocks, threads>>>(out);
  std::vector<unsigned> got = out.host();
  for (unsigned block = 0; block < blocks; ++block) {
    std::vector<unsigned> wanted = reference(block);
    for (unsigned t = 0; t < threads; ++t)
      expectEqual("draws", t, got[block * threads + t], wanted[t]);
  }
  return verdict("repeated_functions");
}
