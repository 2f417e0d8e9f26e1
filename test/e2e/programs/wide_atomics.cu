//===- wide_atomics.cu - Atomics of 16 bytes --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicExch and atomicCAS of structs, vectors and integers of 16 bytes, whose halves never
// come apart. Chips before compute capability 9.0 do not have them, and AMD's neither.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --coarsen='exchange:block.x=2' \
// RUN:   --coarsen='exchange:thread.x=2' --coarsen='exchange:fuse.x=2' -o %t %s 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=remark
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
// RUN: %regrain cc --targets=compute_90 --emit=ptx -o - %s | FileCheck %s --check-prefix=PTX
// RUN: not %regrain cc --targets=compute_80 -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not %regrain cc -DERROR --targets=cpu -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=ERROR
// PTX: .version 8.{{[3-9]}}
// PTX-DAG: atom.relaxed.gpu.exch.b128
// PTX-DAG: atom.relaxed.cta.cas.b128
// OLD: it uses atomics of 16 bytes, which chips before compute capability 9.0 do not have
// ERROR: error: no matching function for call to 'atomicExch'
#include "expect.h"

struct alignas(16) Pair {
  long long value, negative;
};
struct Unaligned {
  long long value, negative;
};

constexpr int threads = 64, blocks = 8, count = threads * blocks;

/// Each thread leaves its number and takes its predecessor's.
__global__ void exchange(Pair *shared, Pair *taken, float4 *vector, __int128 *number) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  taken[i] = atomicExch(&shared[0], Pair{i + 1, -i - 1});
  atomicExch_system(vector, make_float4(1, 2, 3, 4));
  atomicCAS_block(&number[blockIdx.x], __int128(0), (__int128(7) << 64) + blockIdx.x);
#ifdef ERROR
  atomicExch((Unaligned *)taken, Unaligned{1, 2});
#endif
}

/// Counts by retries. The compiler does not see that this assembly retries, so it runs as it is.
__global__ void retry(Pair *shared) {
  Pair seen = shared[1], expected;
  do {
    expected = seen;
    seen = atomicCAS(&shared[1], expected, Pair{expected.value + 1, expected.negative - 2});
  } while (seen.value != expected.value || seen.negative != expected.negative);
}

int main() {
  DeviceArray<Pair> shared(std::vector<Pair>{{count + 1, -count - 1}, {0, 0}}), taken(count);
  DeviceArray<float4> vector(1);
  DeviceArray<__int128> number(blocks);
  exchange<<<blocks, threads>>>(shared, taken, vector, number);
  retry<<<blocks, threads>>>(shared);
  auto pairs = shared.host();
  auto old = taken.host();
  long long sum = pairs[0].value;
  for (unsigned i = 0; i < count; ++i) {
    expectEqual("halves", i, old[i].value, -old[i].negative);
    sum += old[i].value;
  }
  expectEqual("sum", 0, sum, (count + 1LL) * (count + 2) / 2);
  expectEqual("count", 0, pairs[1].value, (long long)count);
  expectEqual("count", 1, pairs[1].negative, -2LL * count);
  expectEqual("vector", 0, vector.host()[0].w, 4.f);
  for (unsigned i = 0; i < blocks; ++i) {
    expectEqual("low", i, (long long)number.host()[i], (long long)i);
    expectEqual("high", i, (long long)(number.host()[i] >> 64), 7LL);
  }
  return verdict("wide_atomics");
}
