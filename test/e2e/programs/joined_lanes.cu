//===- joined_lanes.cu - Lanes of a warp in one thread ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbouring lanes are joined in one launched thread: shuffles of all kinds and widths, sums in
// assembly as cub writes them, votes, and exchange through shared memory, everywhere, in some
// warps of a block, and in loops that last longer in some of them.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:thread.x=2:contiguous' --coarsen='*:thread.x=4:contiguous' --coarsen='*:thread.x=8:contiguous,fuse.x=2,for.block=256x1x1' -o %t %s 2> %t.remarks
// RUN: FileCheck --implicit-check-not=remark %s < %t.remarks
// CHECK: remark: kernel 'choices(int*)' is built without thread.x=8:contiguous,fuse.x=2,for.block=256x1x1: the lanes of a shuffle choose whose value they get, and more than 4 of them are joined
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2:contiguous' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=8:contiguous,fuse.x=2,for.block=256x1x1' timeout 60 %t
#include "expect.h"

constexpr int threads = 256, blocks = 5, all = threads * blocks;
constexpr unsigned everyLane = 0xffffffffu;

/// A value of each thread that is not that of another.
__host__ __device__ constexpr int valueOf(int thread) { return thread * 7 + (thread & 5); }

// The results of lane `lane`, whose warp begins at thread `first`, for shuffles of `valueOf`.
enum Shuffle { Index, Up, Down, Across };

/// Returns the lane of which PTX gives the value, or the lane itself.
constexpr int sourceOf(Shuffle kind, int lane, int where, int width) {
  int start = lane / width * width, target = 0;
  bool isInside = true;
  if (kind == Index)
    target = start + (where & (width - 1));
  else if (kind == Up)
    target = lane - where, isInside = target >= start;
  else if (kind == Down)
    target = lane + where, isInside = target < start + width;
  else
    target = lane ^ where, isInside = target < start + width;
  return isInside ? target : lane;
}

constexpr int shuffled = 14;

__global__ void shuffles(int *out, int distance) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = valueOf(thread);
  int results[shuffled] = {};
  results[0] = __shfl_sync(everyLane, value, 5);
  results[1] = __shfl_up_sync(everyLane, value, 1);
  results[2] = __shfl_up_sync(everyLane, value, 3, 8);
  results[3] = __shfl_down_sync(everyLane, value, 1);
  results[4] = __shfl_down_sync(everyLane, value, 6, 16);
  results[5] = __shfl_xor_sync(everyLane, value, 1);
  results[6] = __shfl_xor_sync(everyLane, value, 21);
  results[7] = __shfl_xor_sync(everyLane, value, 6, 4);
  results[8] = __shfl_down_sync(everyLane, value, distance);
  results[9] = __shfl_up_sync(everyLane, value, distance, 16);
  results[10] = __shfl_xor_sync(everyLane, value, distance);
  results[11] = __shfl_sync(everyLane, value, distance, 8);
  results[12] = __shfl_down_sync(everyLane, value, 16);
  if (threadIdx.x / 32 % 2 == 1)
    results[13] = __shfl_down_sync(everyLane, value, 3);
  else
    results[13] = __shfl_sync(everyLane, value, 31 - lane / 32, 32);
  for (int i = 0; i < shuffled; ++i)
    out[i * all + thread] = results[i];
}

static void checkShuffles(int distance) {
  DeviceArray<int> out(shuffled * all);
  shuffles<<<blocks, threads>>>(out, distance);
  auto found = out.host();
  struct {
    Shuffle kind;
    int where, width;
  } expected[] = {{Index, 5, 32},
                  {Up, 1, 32},
                  {Up, 3, 8},
                  {Down, 1, 32},
                  {Down, 6, 16},
                  {Across, 1, 32},
                  {Across, 21, 32},
                  {Across, 6, 4},
                  {Down, distance, 32},
                  {Up, distance, 16},
                  {Across, distance, 32},
                  {Index, distance, 8},
                  {Down, 16, 32}};
  for (int thread = 0; thread < all; ++thread) {
    int lane = thread % 32, first = thread - lane;
    for (int i = 0; i + 1 < shuffled; ++i) {
      auto [kind, where, width] = expected[i];
      expectEqual("shuffle", i * all + thread, found[i * all + thread],
                  valueOf(first + sourceOf(kind, lane, where, width)));
    }
    int source = thread / 32 % 2 == 1 ? sourceOf(Down, lane, 3, 32) : 31;
    expectEqual("shuffle of some warps", thread, found[(shuffled - 1) * all + thread],
                valueOf(first + source));
  }
}

/// Lanes choose whose value they get; not built for more than four of them in a thread.
__global__ void choices(int *out) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  out[thread] = __shfl_sync(everyLane, valueOf(thread), lane * 5 + 3) +
                __shfl_down_sync(everyLane, valueOf(thread), lane % 7, 16);
}

static void checkChoices() {
  DeviceArray<int> out(all);
  choices<<<blocks, threads>>>(out);
  auto found = out.host();
  for (int thread = 0; thread < all; ++thread) {
    int lane = thread % 32, first = thread - lane;
    expectEqual("choice", thread, found[thread],
                valueOf(first + (lane * 5 + 3) % 32) +
                    valueOf(first + sourceOf(Down, lane, lane % 7, 16)));
  }
}

// Steps of sums, as cub writes them.

__device__ float stepDown(float input, int last, int offset) {
  float output;
  asm volatile("{  .reg .f32 r0;  .reg .pred p;"
               "  shfl.sync.down.b32 r0|p, %1, %2, %3, %5;"
               "  @p add.f32 r0, r0, %4;  mov.f32 %0, r0;}"
               : "=f"(output)
               : "f"(input), "r"(offset), "r"(last), "f"(input), "r"(everyLane));
  return output;
}

__device__ unsigned stepUp(unsigned input, int first, int offset) {
  unsigned output;
  asm volatile("{  .reg .u32 r0;  .reg .pred p;"
               "  shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
               "  @p add.u32 r0, r0, %4;  mov.u32 %0, r0;}"
               : "=r"(output)
               : "r"(input), "r"(offset), "r"(first), "r"(input), "r"(everyLane));
  return output;
}

__device__ long long stepDown(long long input, int last, int offset) {
  long long output;
  asm volatile("{  .reg .u32 lo;  .reg .u32 hi;  .reg .pred p;"
               "  mov.b64 {lo, hi}, %1;"
               "  shfl.sync.down.b32 lo|p, lo, %2, %3, %4;"
               "  shfl.sync.down.b32 hi|p, hi, %2, %3, %4;"
               "  mov.b64 %0, {lo, hi};  @p add.s64 %0, %0, %1;}"
               : "=l"(output)
               : "l"(input), "r"(offset), "r"(last), "r"(everyLane));
  return output;
}

__device__ double stepUp(double input, int first, int offset) {
  double output;
  asm volatile("{  .reg .u32 lo;  .reg .u32 hi;  .reg .pred p;  .reg .f64 r0;"
               "  mov.b64 %0, %1;  mov.b64 {lo, hi}, %1;"
               "  shfl.sync.up.b32 lo|p, lo, %2, %3, %4;"
               "  shfl.sync.up.b32 hi|p, hi, %2, %3, %4;"
               "  mov.b64 r0, {lo, hi};  @p add.f64 %0, %0, r0;}"
               : "=d"(output)
               : "d"(input), "r"(offset), "r"(first), "r"(everyLane));
  return output;
}

__device__ int laneNumber() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/// Sums of blocks and running sums of warps, of the first `valid` threads of the last block.
__global__ void sums(float *ofBlocks, unsigned *running, long long *ofWarps, double *doubles,
                     int valid) {
  __shared__ float parts[threads / 32];
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = laneNumber(), warp = threadIdx.x / 32;
  int left = valid - (warp * 32);
  int last = left < 32 ? left - 1 : 31;
  float sum = valueOf(thread);
  unsigned scan = valueOf(thread);
  long long wide = (1ll << 40) + thread;
  double whole = thread + 0.5;
  for (int offset = 1; offset < 32; offset *= 2)
    sum = stepDown(sum, last, offset);
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    scan = stepUp(scan, 0, offset);
    wide = stepDown(wide, 31, offset);
    whole = stepUp(whole, 0, offset);
  }
  if (lane == 0)
    parts[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int other = 1; other < threads / 32 && other * 32 < valid; ++other)
      sum += parts[other];
    ofBlocks[blockIdx.x] = sum;
  }
  running[thread] = scan;
  doubles[thread] = whole;
  if (lane == 0)
    ofWarps[thread / 32] = wide;
}

static void checkSums(int valid) {
  DeviceArray<float> ofBlocks(blocks);
  DeviceArray<unsigned> running(all);
  DeviceArray<long long> ofWarps(all / 32);
  DeviceArray<double> doubles(all);
  sums<<<blocks, threads>>>(ofBlocks, running, ofWarps, doubles, valid);
  auto b = ofBlocks.host();
  auto r = running.host();
  auto w = ofWarps.host();
  auto d = doubles.host();
  for (int block = 0; block < blocks; ++block) {
    float sum = 0;
    for (int i = 0; i < valid; ++i)
      sum += valueOf(block * threads + i);
    expectEqual("sum of a block", block, b[block], sum);
  }
  for (int warp = 0; warp < all / 32; ++warp) {
    unsigned scan = 0;
    long long wide = 0;
    double whole = 0;
    for (int thread = warp * 32; thread < warp * 32 + 32; ++thread) {
      scan += valueOf(thread);
      wide += (1ll << 40) + thread;
      whole += thread + 0.5;
      expectEqual("running sum", thread, r[thread], scan);
      expectEqual("running sum of doubles", thread, d[thread], whole);
    }
    expectEqual("sum of a warp", warp, w[warp], wide);
  }
}

/// What lanes vote, and what they exchange in shared memory; rounds differ from warp to warp.
__global__ void votes(unsigned *out, const int *in) {
  __shared__ int exchanged[threads];
  int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  unsigned result = 0;
  for (int round = 0; round <= warp; ++round) {
    int value = in[thread] >> round;
    unsigned odd = __ballot_sync(everyLane, value & 1);
    result = result * 31 + odd;
    if (__any_sync(everyLane, (value & 255) == 3))
      result += 1;
    result += __all_sync(everyLane, (value & 7) != 7) ? 2 : 0;
    exchanged[threadIdx.x] = value;
    __syncwarp();
    result ^= exchanged[warp * 32 + (lane * 11 + round) % 32];
    __syncwarp();
  }
  out[thread] = result;
}

static void checkVotes() {
  std::vector<int> in(all);
  for (int thread = 0; thread < all; ++thread)
    in[thread] = (thread * 2654435761u) >> 7;
  DeviceArray<int> input(in);
  DeviceArray<unsigned> out(all);
  votes<<<blocks, threads>>>(out, input);
  auto found = out.host();
  for (int thread = 0; thread < all; ++thread) {
    int lane = thread % 32, first = thread - lane, warp = thread % threads / 32;
    unsigned result = 0;
    for (int round = 0; round <= warp; ++round) {
      unsigned odd = 0;
      bool any = false, every = true;
      for (int other = 0; other < 32; ++other) {
        int value = in[first + other] >> round;
        odd |= unsigned(value & 1) << other;
        any |= (value & 255) == 3;
        every &= (value & 7) != 7;
      }
      result = result * 31 + odd + any + (every ? 2 : 0);
      result ^= in[first + (lane * 11 + round) % 32] >> round;
    }
    expectEqual("vote", thread, found[thread], result);
  }
}

int main() {
  for (int distance : {0, 1, 2, 5, 16, 31})
    checkShuffles(distance);
  checkChoices();
  for (int valid : {threads, threads - 32, 100, 33})
    checkSums(valid);
  checkVotes();
  return verdict("joined_lanes");
}
