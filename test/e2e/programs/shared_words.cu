//===- shared_words.cu - Shared addresses in 32 bits ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs keep addresses in shared memory in words for inline PTX: for loads, stores, atomic
// updates and asynchronous copies of static and dynamic shared memory, and for tiles of matrices
// that the lanes of a warp load, store and transpose together.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s && timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain
#include "expect.h"

constexpr int threads = 64, blocks = 3, total = threads * blocks;
using u32 = unsigned;

__device__ u32 wordOf(const void *shared) {
  return static_cast<u32>(__cvta_generic_to_shared(shared));
}

/// The same by assembly alone.
__device__ u32 wordByAssembly(const void *shared) {
  u32 word;
  asm("{ .reg .u64 at; cvta.to.shared.u64 at, %1; cvt.u32.u64 %0, at; }"
      : "=r"(word)
      : "l"(shared));
  return word;
}

__global__ void accesses(const uint4 *in, u32 *out) {
  __shared__ u32 tile[threads], count;
  extern __shared__ uint4 copied[];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  u32 base = wordOf(tile);
  asm volatile("st.shared.u32 [%0+0], %1;" ::"r"(base + 4 * t), "r"(3 * i) : "memory");
  if (t == 0)
    count = 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.wait_all;" ::"r"(
                   wordByAssembly(&copied[t])),
               "l"(in + i)
               : "memory");
  __syncthreads();
  u32 read, x, y, z, w;
  asm volatile("ld.shared.u32 %0, [%1+-8];" : "=r"(read) : "r"(base + 4 * ((t + 1) % threads) + 8));
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(wordOf(&copied[(t + 2) % threads])));
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(wordOf(&count)), "r"(u32(t)) : "memory");
  __syncthreads();
  u32 *mine = out + 6 * i;
  mine[0] = read, mine[1] = x, mine[2] = y, mine[3] = z, mine[4] = w, mine[5] = count;
}

struct Lane {
  u32 four[4], fourTransposed[4], two[2], oneTransposed, moved;
};

/// Each warp loads four tiles of 8 by 8 elements from rows with a distance of 24 elements, and
/// stores what it has loaded in other ways.
__global__ void tiles(const unsigned short *in, Lane *out, unsigned short *stored) {
  __shared__ alignas(16) unsigned short rows[32 * 24], kept[32 * 8], turned[32 * 8];
  int lane = threadIdx.x;
  for (int k = lane; k < 32 * 24; k += 32)
    rows[k] = in[k];
  __syncwarp();
  u32 row = wordOf(rows + lane * 24);
  Lane r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r.four[0]), "=r"(r.four[1]), "=r"(r.four[2]), "=r"(r.four[3])
               : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4+16];"
               : "=r"(r.fourTransposed[0]), "=r"(r.fourTransposed[1]), "=r"(r.fourTransposed[2]),
                 "=r"(r.fourTransposed[3])
               : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r.two[0]), "=r"(r.two[1])
               : "r"(wordOf(rows + (31 - lane) * 24)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(r.oneTransposed)
               : "r"(row + 32)
               : "memory");
  // What the tile held is read, whoever writes it next.
  rows[(7 - lane % 8) * 24 + 16] = 0;
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r.moved) : "r"(r.four[2]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   wordOf(kept + lane * 8)),
               "r"(r.four[0]), "r"(r.four[1]), "r"(r.four[2]), "r"(r.four[3])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   wordOf(turned + lane * 8)),
               "r"(r.four[0]), "r"(r.four[1]), "r"(r.four[2]), "r"(r.four[3])
               : "memory");
  __syncwarp();
  out[lane] = r;
  for (int k = lane; k < 32 * 8; k += 32) {
    stored[k] = kept[k];
    stored[32 * 8 + k] = turned[k];
  }
}

void checkAccesses() {
  std::vector<uint4> in(total);
  for (u32 i = 0; i < total; ++i)
    in[i] = make_uint4(i, i + 1000, i * i, ~i);
  DeviceArray<uint4> input(in);
  DeviceArray<u32> out(6 * total);
  accesses<<<blocks, threads, threads * sizeof(uint4)>>>(input, out);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    int first = i / threads * threads, t = i % threads;
    const u32 *mine = &got[6 * i];
    const uint4 &copied = in[first + (t + 2) % threads];
    u32 wanted[] = {3u * (first + (t + 1) % threads), copied.x, copied.y, copied.z, copied.w,
                    threads * (threads - 1) / 2};
    for (int k = 0; k < 6; ++k)
      expectEqual("accesses", 6 * i + k, mine[k], wanted[k]);
  }
}

void checkTiles() {
  std::vector<unsigned short> in(32 * 24);
  for (int k = 0; k < 32 * 24; ++k)
    in[k] = static_cast<unsigned short>(k * 2654435761u >> 7);
  DeviceArray<unsigned short> input(in), stored(2 * 32 * 8);
  DeviceArray<Lane> out(32);
  tiles<<<1, 32>>>(input, out, stored);
  auto got = out.host();
  auto at = [&](int row, int column) { return u32(in[row * 24 + column]); };
  for (int lane = 0; lane < 32; ++lane) {
    int r = lane / 4, c = lane % 4 * 2;
    auto word = [&](int tile, int column) {
      return at(8 * tile + r, column + c) | at(8 * tile + r, column + c + 1) << 16;
    };
    auto turned = [&](int tile, int column) {
      return at(8 * tile + c, column + r) | at(8 * tile + c + 1, column + r) << 16;
    };
    const Lane &mine = got[lane];
    for (int tile = 0; tile < 4; ++tile) {
      expectEqual("four", 4 * lane + tile, mine.four[tile], word(tile, 0));
      expectEqual("four transposed", 4 * lane + tile, mine.fourTransposed[tile], turned(tile, 8));
    }
    for (int tile = 0; tile < 2; ++tile)
      expectEqual("two", 2 * lane + tile, mine.two[tile],
                  at(31 - 8 * tile - r, c) | at(31 - 8 * tile - r, c + 1) << 16);
    expectEqual("one transposed", lane, mine.oneTransposed, turned(0, 16));
    expectEqual("moved", lane, mine.moved, turned(2, 0));
  }
  auto kept = stored.host();
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 8; ++column) {
      expectEqual("kept", row * 8 + column, kept[row * 8 + column], at(row, column));
      expectEqual("turned", row * 8 + column, kept[256 + row * 8 + column],
                  at(row / 8 * 8 + column, row % 8));
    }
}

int main() {
  checkAccesses();
  checkTiles();
  return verdict("shared_words");
}
