//===- warpgroup_cores.h - Products of fp8 by four warps -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On sm_90a, the four warps of a warpgroup multiply 64 channels with 8, 16 or 32 tokens by one
// instruction (wgmma), which reads both from shared memory and runs beside the warps. There, a
// row has 128 numbers of k, and its pieces of 16 bytes are exchanged as the instruction expects:
// the number of a piece is combined with that of the row, so that neither copies nor products
// have conflicts of banks.
//
// The instruction adds with fewer bits than a float has: terms are aligned to the largest one,
// and about 14 bits remain. So it adds the products of one row of 128 numbers alone, and the
// warps add these sums in float, as PyTorch does where accumulation is not to be fast.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

namespace regrain::kernels {

/// So many numbers of k has a row in shared memory. An instruction takes 32 of them.
constexpr int rowK = 128, productSteps = rowK / 32;
/// The first of eight rows is aligned to this.
constexpr int rowsAlignment = 8 * rowK;

/// Where a row has a piece of 16 bytes.
__device__ inline int placeOfPiece(int row, int piece) {
  return row * rowK + (piece ^ row % 8) * 16;
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && !defined(REGRAIN_WARPGROUP_CORES)
#define REGRAIN_WARPGROUP_CORES

/// Where copies write.
using CopyAddress = unsigned;
__device__ inline CopyAddress copyAddress(const unsigned char *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
/// Returns where a row has a piece, of rows that begin at `rows`. It is combined last: where an
/// address is the sum of a uniform register and another one, and the copy has a policy, ptxas of
/// CUDA 13.0 writes an instruction that is illegal.
__device__ inline CopyAddress placeOfCopy(CopyAddress rows, int row, int piece) {
  return (rows + row * rowK + row % 8 * 16) ^ (piece * 16);
}

/// What the second-level cache does with lines that are read. A policy takes an instruction, so it
/// is made once.
using LinePolicy = uint64_t;
/// The cache gives them up last.
__device__ inline LinePolicy keptPolicy() {
  LinePolicy policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
/// The cache gives them up first, also those that it was to keep until now.
__device__ inline LinePolicy passingPolicy() {
  LinePolicy policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
/// Those that the cache has stay what they are, and the others are as without a policy.
__device__ inline LinePolicy unchangedPolicy() {
  LinePolicy policy;
  asm("createpolicy.fractional.L2::evict_unchanged.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

/// The number of the thread's warpgroup, which the compiler knows to be the same in a warp:
/// addresses that depend on it are in uniform registers, where the products expect them.
__device__ inline int warpgroupNumber() {
  return __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 128, 0);
}

/// A number that most calls have another one of: the clock, of which all bits decide.
__device__ inline unsigned numberOfCall() {
  return static_cast<unsigned>(clock64()) * 0x9e3779b1u >> 16;
}

/// Copies `bytes` to 16 bytes of shared memory, and zeros behind.
template <bool hasPolicy>
__device__ __forceinline__ void copyPiece(CopyAddress to, const unsigned char *from, int bytes,
                                          LinePolicy policy) {
  if constexpr (hasPolicy)
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;" ::"r"(to),
                 "l"(from), "r"(bytes), "l"(policy)
                 : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
                 : "memory");
}

/// Threads of a warpgroup wait for each other.
__device__ inline void awaitWarpgroup() { __barrier_sync_count(threadIdx.x / 128 + 1, 128); }

/// Counts the bytes that other blocks of the cluster write into this one's shared memory.
using ArrivalCount = uint64_t;

/// One thread calls it, before the blocks of the cluster meet and send. So many bytes will come.
__device__ inline void expectParts(ArrivalCount *count, int bytes) {
  unsigned address = copyAddress(reinterpret_cast<unsigned char *>(count));
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;\n{\n"
      ".reg .b64 state;\nmbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1;\n}" ::"r"(
          address),
      "r"(bytes)
      : "memory");
}
/// Writes to the memory of a block of the cluster, and counts there.
__device__ inline void sendPart(float4 *to, float4 part, ArrivalCount *count) {
  asm volatile("{\n.reg .b64 place, counter;\n.reg .b32 a, b;\n"
               "cvta.to.shared::cluster.u64 place, %0;\ncvt.u32.u64 a, place;\n"
               "cvta.to.shared::cluster.u64 counter, %1;\ncvt.u32.u64 b, counter;\n"
               "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [a], {%2, %3, %4, "
               "%5}, [b];\n}" ::"l"(to),
               "l"(count), "f"(part.x), "f"(part.y), "f"(part.z), "f"(part.w)
               : "memory");
}
/// Waits until all bytes have come. They do, as no block of the cluster waits for anything before
/// it has sent.
__device__ inline void awaitParts(ArrivalCount *count) {
  unsigned address = copyAddress(reinterpret_cast<unsigned char *>(count)), done = 0;
  while (!done)
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                 "[%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address)
                 : "memory");
}

/// Makes what this thread wrote to shared memory visible to the products that begin behind the next
/// barrier.
__device__ inline void publishRows() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Tells the instruction where rows are: aligned to eight, of 128 bytes with exchanged pieces, and
/// eight rows 1024 bytes behind the last eight.
__device__ inline uint64_t describeRows(const unsigned char *rows) {
  auto address = static_cast<unsigned>(__cvta_generic_to_shared(rows));
  return uint64_t(1) << 62 | uint64_t(rowsAlignment / 16) << 32 | uint64_t(1) << 16 |
         (address & 0x3ffff) / 16;
}

__device__ inline void multiplyAdd(float (&sums)[4], uint64_t channels, uint64_t tokens, int adds) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0, %1, %2, %3}, %4, %5, p, "
               "1, 1;\n}"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "l"(channels), "l"(tokens), "r"(adds));
}
__device__ inline void multiplyAdd(float (&sums)[8], uint64_t channels, uint64_t tokens, int adds) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3 {%0, %1, %2, %3, %4, %5, %6, "
               "%7}, %8, %9, p, 1, 1;\n}"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]),
                 "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7])
               : "l"(channels), "l"(tokens), "r"(adds));
}
__device__ inline void multiplyAdd(float (&sums)[16], uint64_t channels, uint64_t tokens,
                                   int adds) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 {%0, %1, %2, %3, %4, %5, %6, "
               "%7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1;\n}"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]),
                 "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7]), "+f"(sums[8]), "+f"(sums[9]),
                 "+f"(sums[10]), "+f"(sums[11]), "+f"(sums[12]), "+f"(sums[13]), "+f"(sums[14]),
                 "+f"(sums[15])
               : "l"(channels), "l"(tokens), "r"(adds));
}

/// Products begin behind this, whose sums the threads have read or written before. The lanes of a
/// warp run these instructions together.
__device__ inline void openProducts() {
  __syncwarp();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/// Begins to add the products of 32 numbers of 64 channels' rows and of all tokens' rows, those of
/// step 0 to zeros. A thread has the sums
/// of the channel 16 * (warp % 4) + lane / 4, with tokens 2 * (lane % 4) and the next one, then
/// those of eight channels below; then the same for the next eight tokens.
template <int count>
__device__ void beginProducts(float (&sums)[count], const unsigned char *channels,
                              const unsigned char *tokens, int step) {
  multiplyAdd(sums, describeRows(channels) + 2 * step, describeRows(tokens) + 2 * step, step > 0);
}

/// The products that began are one group.
__device__ inline void closeProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/// Waits for all products, whose sums can be read behind this.
__device__ inline void awaitSums(float (&sums)[4]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])::"memory");
}
__device__ inline void awaitSums(float (&sums)[8]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]),
                 "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7])::"memory");
}
__device__ inline void awaitSums(float (&sums)[16]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]),
                 "+f"(sums[5]), "+f"(sums[6]), "+f"(sums[7]), "+f"(sums[8]), "+f"(sums[9]),
                 "+f"(sums[10]), "+f"(sums[11]), "+f"(sums[12]), "+f"(sums[13]), "+f"(sums[14]),
                 "+f"(sums[15])::"memory");
}
#endif

} // namespace regrain::kernels
