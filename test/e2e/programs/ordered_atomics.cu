//===- ordered_atomics.cu - Atomics with orders and scopes ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -c --targets=compute_60,compute_90 -o %t.o %s
#include "expect.h"

constexpr int threads = 64, blocks = 4, total = threads * blocks, cells = 12;

struct alignas(8) Pair {
  int first;
  float second;
};

__global__ void update(int *out, float *sum, long long *most, Pair *pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(out, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(out + 1, i, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_or(out + 2, 1 << (i & 31), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_and(out + 3, ~(1 << (i & 7)), __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_xor(out + 4, i, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(out + 5, -i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(most, 1ll << 40 | i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  Pair seen, next;
  __nv_atomic_load(pair, &seen, __NV_ATOMIC_ACQUIRE);
  do
    next = Pair{seen.first + 1, seen.second + 2};
  while (!__nv_atomic_compare_exchange(pair, &seen, &next, true, __NV_ATOMIC_RELEASE,
                                       __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE));
  if (i == 5) {
    out[6] = __nv_atomic_exchange_n(out + 7, 9, __NV_ATOMIC_ACQ_REL);
    __nv_atomic_store_n(reinterpret_cast<short *>(out + 8), short(-3), __NV_ATOMIC_RELEASE);
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
    int expected = 1;
    out[9] = __nv_atomic_compare_exchange_n(out + 10, &expected, 5, false, __NV_ATOMIC_SEQ_CST,
                                            __NV_ATOMIC_RELAXED);
    out[11] = expected;
  }
}

int main() {
  std::vector<int> start(cells);
  start[3] = -1;
  start[7] = 4;
  start[10] = 2;
  DeviceArray<int> out(start);
  DeviceArray<float> sum(1);
  DeviceArray<long long> most(1);
  DeviceArray<Pair> pair(1);
  update<<<blocks, threads>>>(out, sum, most, pair);
  auto got = out.host();
  const int all = total * (total - 1) / 2;
  const int wanted[cells] = {all, -all, -1, -256, 0, 1 - total, 4, 9, 0xfffd, 0, 2, 2};
  for (int i = 0; i < cells; ++i)
    expectEqual("cell", i, got[i], wanted[i]);
  expectEqual("sum", 0, sum.host()[0], total / 2);
  expectEqual("most", 0, most.host()[0], 1ll << 40 | (total - 1));
  expectEqual("pair", 0, pair.host()[0].first, total);
  expectEqual("pair", 1, pair.host()[0].second, 2 * total);
  return verdict("ordered_atomics");
}
