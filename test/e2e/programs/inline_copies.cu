//===- inline_copies.cu - Asynchronous copies in inline PTX -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread copies to shared memory in all forms of cp.async, and its neighbour reads what it
// copied. The last threads may read nothing, or a part, behind which there is no memory of theirs.
// Accesses with policies for caches access what they would without.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain
#include "expect.h"
#include <algorithm>

constexpr int threads = 64, blocks = 3, total = threads * blocks;
using u32 = unsigned;
using u64 = unsigned long long;

__device__ u64 policy() {
  u64 p;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(p));
  return p;
}

__device__ void copyIf(void *to, const void *from, bool runs) {
  asm volatile("{\n  .reg .pred p;\n  setp.ne.b32 p, %0, 0;\n"
               "  @p cp.async.cg.shared.global [%1], [%2], %3;\n}\n" ::"r"(int(runs)),
               "l"(__cvta_generic_to_shared(to)), "l"(from), "n"(16));
}

__device__ void copyPart(void *to, const void *from, int bytes) {
  asm volatile(
      "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"l"(__cvta_generic_to_shared(to)),
      "l"(from), "r"(bytes));
}

__device__ void copyUnless(void *to, const void *from, bool ignores) {
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %2, 0;\n"
      "  cp.async.ca.shared.global [%0], [%1], 8, p; }" ::"l"(__cvta_generic_to_shared(to)),
      "l"(from), "r"(int(ignores)));
}

__device__ void copyByPolicy(void *to, const void *from) {
  asm volatile("cp.async.ca.shared.global.L2::cache_hint [%0+4], [%1], %2, %3;" ::"l"(
                   __cvta_generic_to_shared(to)),
               "l"(from), "n"(4), "l"(policy()));
}

__device__ u32 loadByPolicy(const u32 *from) {
  u32 value;
  asm volatile("ld.global.L1::no_allocate.L2::cache_hint.b32 %0, [%1], %2;"
               : "=r"(value)
               : "l"(from), "l"(policy()));
  return value;
}

__device__ void storeByPolicy(u32 *to, u32 value) {
  asm volatile("st.global.L2::cache_hint.b32 [%0], %1, %2;" ::"l"(to), "r"(value), "l"(policy())
               : "memory");
}

struct Tile {
  uint4 conditional[threads], part[threads];
  uint2 unless[threads], hinted[threads];
};

/// `in` has one element for each thread; the last thread's part ends with the memory.
__global__ void copies(const uint4 *in, int elements, u32 *out) {
  __shared__ Tile tile;
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  tile.conditional[t] = make_uint4(1, 2, 3, 4);
  tile.hinted[t] = make_uint2(5, 6);
  __syncthreads();
  copyIf(&tile.conditional[t], &in[i], i % 3 != 0);
  copyPart(&tile.part[t], &in[i], i % 17);
  asm volatile("cp.async.commit_group;");
  copyUnless(&tile.unless[t], i % 5 == 0 ? nullptr : &in[i], i % 5 == 0);
  copyByPolicy(&tile.hinted[t], &in[i].w);
  asm volatile("cp.async.commit_group;\n");
  asm volatile("cp.async.wait_group %0;\n" ::"n"(1) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  int n = (t + 1) % threads;
  uint4 a = tile.conditional[n], b = tile.part[n];
  u32 *mine = out + i * 13;
  mine[0] = a.x, mine[1] = a.y, mine[2] = a.z, mine[3] = a.w;
  mine[4] = b.x, mine[5] = b.y, mine[6] = b.z, mine[7] = b.w;
  mine[8] = tile.unless[n].x, mine[9] = tile.unless[n].y;
  mine[10] = tile.hinted[n].x, mine[11] = tile.hinted[n].y;
  storeByPolicy(&mine[12], loadByPolicy(&in[(i + 1) % elements].x));
}

void checkCopies() {
  std::vector<u32> in(total * 4);
  for (int i = 0; i < total * 4; ++i)
    in[i] = 0x01020304u * (i + 1);
  DeviceArray<u32> input(in), out(total * 13);
  copies<<<blocks, threads>>>(reinterpret_cast<const uint4 *>(static_cast<u32 *>(input)), total,
                              out);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    int n = i / threads * threads + (i + 1) % threads;
    const u32 *from = &in[n * 4];
    u32 wanted[13] = {1, 2, 3, 4};
    if (n % 3 != 0)
      std::copy_n(from, 4, wanted);
    for (int byte = 0; byte < n % 17; ++byte)
      wanted[4 + byte / 4] |= from[byte / 4] & (0xffu << byte % 4 * 8);
    if (n % 5 != 0)
      std::copy_n(from, 2, wanted + 8);
    wanted[10] = 5, wanted[11] = from[3];
    wanted[12] = in[(i + 1) % total * 4];
    for (int k = 0; k < 13; ++k)
      expectEqual("copies", i * 13 + k, got[i * 13 + k], wanted[k]);
  }
}

int main() {
  checkCopies();
  return verdict("inline_copies");
}
