//===- control_flow.cu - Irregular control flow -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are a switch with fall-through, goto, a loop left from its middle, and barriers
// after them; the conditions are uniform, the work between the barriers is not.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64;

__global__ void irregular(int *out, int mode, int rounds) {
  __shared__ int value[threads];
  int tid = threadIdx.x, state = tid;
  value[tid] = tid;
  __syncthreads();
  for (int round = 0;; ++round) {
    switch ((mode + round) % 4) {
    case 0:
      state += value[(tid + 1) % threads];
      __syncthreads();
    case 1:
      for (int k = 0; k < tid % 5; ++k) {
        if (k == 3)
          break;
        state = state * 3 + k;
      }
      value[tid] = state % 1000;
      __syncthreads();
      break;
    case 2:
      if (tid % 2)
        goto odd;
      state -= 7;
      goto joined;
    odd:
      state += 11;
    joined:
      __syncthreads();
      value[tid] += state % 10;
      break;
    default:
      if (round > rounds)
        goto finished;
    }
    __syncthreads();
  }
finished:
  __syncthreads();
  out[tid] = state + value[threads - 1 - tid];
}

static std::vector<int> reference(int mode, int rounds) {
  std::vector<int> value(threads), state(threads), result(threads);
  for (int t = 0; t < threads; ++t)
    value[t] = state[t] = t;
  for (int round = 0;; ++round) {
    int chosen = (mode + round) % 4;
    if (chosen == 3 && round > rounds)
      break;
    if (chosen == 0)
      for (int t = 0; t < threads; ++t)
        state[t] += value[(t + 1) % threads];
    for (int t = 0; t < threads; ++t) {
      if (chosen <= 1) {
        for (int k = 0; k < t % 5 && k < 3; ++k)
          state[t] = state[t] * 3 + k;
        value[t] = state[t] % 1000;
      } else if (chosen == 2) {
        state[t] += t % 2 ? 11 : -7;
        value[t] += state[t] % 10;
      }
    }
  }
  for (int t = 0; t < threads; ++t)
    result[t] = state[t] + value[threads - 1 - t];
  return result;
}

int main() {
  for (int mode = 0; mode < 4; ++mode) {
    DeviceArray<int> out(threads);
    irregular<<<1, threads>>>(out, mode, 5);
    auto got = out.host();
    auto wanted = reference(mode, 5);
    for (int t = 0; t < threads; ++t)
      expectEqual("out", mode * threads + t, got[t], wanted[t]);
  }
  return verdict("control_flow");
}
