//===- warp_exchanges.cu - Shared arrays in registers of a warp -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of 128 threads exchange values through shared memory: trees, scans,
// broadcasts, neighbours, rotations and transposes. At the grains, a block is
// one warp or one thread, or several warps that exchange nothing with each other.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:thread.x=4,exchange=warp,for.block=128' \
// RUN:   --coarsen='*:thread.x=4:contiguous,exchange=warp,for.block=128' \
// RUN:   --coarsen='*:thread.x=4:contiguous,fuse.x=4,exchange=warp,for.block=128' \
// RUN:   --coarsen='*:thread.x=8:contiguous,fuse.x=8,exchange=warp,for.block=128' \
// RUN:   --coarsen='*:block.x=2,thread.x=4,exchange=warp,for.block=128' \
// RUN:   --coarsen='*:thread.x=128,exchange=warp,for.block=128' \
// RUN:   --coarsen='groups:exchange=warp,for.block=128' \
// RUN:   --coarsen='groups:thread.x=2:contiguous,exchange=warp,for.block=128' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:thread.x=4,exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous,exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous,fuse.x=4,exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=8:contiguous,fuse.x=8,exchange=warp,for.block=128' timeout 60 %t
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:block.x=2,thread.x=4,exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:thread.x=128,exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s --check-prefix=SINGLE
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='groups:exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='groups:thread.x=2:contiguous,exchange=warp,for.block=128' timeout 60 %t 2>&1 | FileCheck %s --check-prefix=WARPS
//
// In fused blocks, dynamic shared memory (carved) is not known lane by lane.
// FUSED-DAG: largest({{.*}}): {{.*}}fuse.x=4,exchange=warp,for.block=128x1x1 (asked for
// FUSED-DAG: tiles({{.*}}): {{.*}}fuse.x=4,exchange=warp,for.block=128x1x1 (asked for
// FUSED-DAG: warp_exchanges: ok
// CHECK-DAG: largest({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: sum({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: scan({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: neighbours({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: rotate({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: leaders({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: rows({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: carved({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: tiles({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: branches({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// CHECK-DAG: warp_exchanges: ok
// CHECK-DAG: groups({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// WARPS-DAG: groups({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// WARPS-DAG: warp_exchanges: ok
// SINGLE-DAG: leaders({{.*}}): {{.*}}exchange=warp,for.block=128x1x1 (asked for
// SINGLE-DAG: warp_exchanges: ok
#include "expect.h"

#include <algorithm>

constexpr int threads = 128, blocks = 5, total = threads * blocks;

// Half of the threads take part, then a quarter, and so on; all read the result.
__global__ void largest(float *out, const float *in) {
  __shared__ float tree[threads];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  tree[t] = fabsf(in[i]);
  __syncthreads();
  for (int far = threads / 2; far > 0; far >>= 1) {
    if (t < far)
      tree[t] = fmaxf(tree[t], tree[t + far]);
    __syncthreads();
  }
  out[i] = in[i] / tree[0];
}

// The order of the additions decides the result.
__global__ void sum(double *out, const float *in) {
  __shared__ double tree[threads];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  tree[t] = in[i] * 1.1;
  __syncthreads();
  for (int far = 1; far < threads; far *= 2) {
    if (t % (2 * far) == 0)
      tree[t] += tree[t + far];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = tree[0];
}

__global__ void scan(short *out, const float *in) {
  __shared__ short sums[2][threads];
  int t = threadIdx.x, i = blockIdx.x * threads + t, now = 0;
  sums[0][t] = short(in[i]);
  __syncthreads();
  for (int far = 1; far < threads; far *= 2, now = 1 - now) {
    sums[1 - now][t] = sums[now][t] + (t >= far ? sums[now][t - far] : 0);
    __syncthreads();
  }
  out[i] = sums[now][t];
}

// The first and the last thread also write what lies outside of the block.
__global__ void neighbours(float *out, const float *in) {
  __shared__ float row[threads + 2];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  row[t + 1] = in[i];
  if (t < 1)
    row[0] = i > 0 ? in[i - 1] : -1.0f;
  if (t > threads - 2)
    row[threads + 1] = i + 1 < total ? in[i + 1] : -2.0f;
  __syncthreads();
  out[i] = row[t] + 2 * row[t + 1] + 4 * row[t + 2];
}

__global__ void rotate(unsigned char *out, const float *in) {
  __shared__ unsigned char ring[threads];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  ring[t] = (unsigned char)(int(in[i]) & 255);
  __syncthreads();
  out[i] = ring[(t + 37) % threads] ^ ring[t ^ 5] ^ ring[threads - 1 - t];
}

// One thread of 32 writes, and all read.
__global__ void leaders(long long *out, const float *in) {
  __shared__ long long of[threads / 32];
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  if (t % 32 == 0)
    of[t / 32] = (long long)(in[i]) * 1000000007;
  __syncthreads();
  out[i] = of[t % 4] + 3 * of[t / 32];
}

// Rows of eight become columns. The tile is padded.
__global__ void rows(float *out, const float *in) {
  __shared__ float tile[2][8][9];
  int t = threadIdx.x, i = blockIdx.x * threads + t, which = t / 64, y = t / 8 % 8, x = t % 8;
  tile[which][y][x] = in[i];
  __syncthreads();
  out[i] = tile[which][x][y];
}

// Two arrays share the dynamic memory.
__global__ void carved(double *out, const float *in) {
  extern __shared__ double wide[];
  float *narrow = reinterpret_cast<float *>(wide + threads);
  int t = threadIdx.x, i = blockIdx.x * threads + t;
  wide[t] = in[i] * 0.1;
  narrow[t] = in[i] * 0.3f;
  __syncthreads();
  out[i] = wide[(t + 1) % threads] - narrow[(t + 2) % threads];
}

// The number of tiles is known only at the launch.
__global__ void tiles(float *out, const float *in, int count) {
  __shared__ float tile[threads];
  int t = threadIdx.x;
  float sum = 0;
  for (int n = 0; n < count; ++n) {
    tile[t] = in[n * threads + t];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      sum += tile[j * 16 + t % 16] * (j + t);
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = sum;
}

// Data decides which threads write, and which read what they have just written.
__global__ void branches(float *out, const float *in) {
  __shared__ float a[threads], b[threads];
  int t = threadIdx.x, i = blockIdx.x * threads + t, number = int(in[i]);
  a[t] = in[i];
  b[t] = 1;
  __syncthreads();
  float sum = 0;
  if (number & 1) {
    b[t] = 2 * in[i];
    sum = b[t] + a[(t + 1) % threads] + a[t];
  } else if (number & 2) {
    sum = a[0] - a[threads - 1];
  }
  __syncthreads();
  if (number % 3 == 0)
    a[t] = -in[i];
  __syncthreads();
  out[i] = sum + a[threads - 1 - t] + b[t ^ 1];
}

// Groups of 32 threads have a row each.
__global__ void groups(float *out, const float *in) {
  __shared__ float row[4][33];
  int t = threadIdx.x, i = blockIdx.x * threads + t, group = t / 32, lane = t % 32;
  row[group][lane] = in[i];
  __syncthreads();
  float mirrored = row[group][31 - lane];
  __syncthreads();
  for (int far = 16; far > 0; far >>= 1) {
    if (lane < far)
      row[group][lane] += row[group][lane + far];
    __syncthreads();
  }
  out[i] = row[group][0] + 0.5f * mirrored;
}

std::vector<float> in;

float at(int block, int t) { return in[block * threads + t]; }

template <class T, class Wanted>
void check(const char *what, const DeviceArray<T> &out, Wanted wanted) {
  std::vector<T> got = out.host();
  for (int i = 0; i < total; ++i)
    expectEqual(what, i, got[i], wanted(i / threads, i % threads));
}

double sumWanted(int block) {
  std::vector<double> tree(threads);
  for (int t = 0; t < threads; ++t)
    tree[t] = at(block, t) * 1.1;
  for (int far = 1; far < threads; far *= 2)
    for (int t = 0; t < threads; t += 2 * far)
      tree[t] += tree[t + far];
  return tree[0];
}

float branchesWanted(int block, int t) {
  auto a = [&](int t) { return int(at(block, t)) % 3 == 0 ? -at(block, t) : at(block, t); };
  auto b = [&](int t) { return int(at(block, t)) & 1 ? 2 * at(block, t) : 1; };
  int number = int(at(block, t));
  float sum = 0;
  if (number & 1)
    sum = 2 * at(block, t) + at(block, (t + 1) % threads) + at(block, t);
  else if (number & 2)
    sum = at(block, 0) - at(block, threads - 1);
  return sum + a(threads - 1 - t) + b(t ^ 1);
}

void checkTrees(const DeviceArray<float> &data) {
  DeviceArray<float> ratios(total);
  largest<<<blocks, threads>>>(ratios, data);
  check("largest", ratios, [](int block, int t) {
    float most = 0;
    for (int other = 0; other < threads; ++other)
      most = std::max(most, std::fabs(at(block, other)));
    return at(block, t) / most;
  });
  DeviceArray<double> sums(blocks);
  sum<<<blocks, threads>>>(sums, data);
  for (int block = 0; block < blocks; ++block)
    expectEqual("sum", block, sums.host()[block], sumWanted(block));
  DeviceArray<short> scanned(total);
  scan<<<blocks, threads>>>(scanned, data);
  check("scan", scanned, [](int block, int t) {
    short sum = 0;
    for (int other = 0; other <= t; ++other)
      sum += short(at(block, other));
    return sum;
  });
}

void checkMoves(const DeviceArray<float> &data) {
  DeviceArray<float> nearby(total), columns(total);
  neighbours<<<blocks, threads>>>(nearby, data);
  check("neighbours", nearby, [](int block, int t) {
    int i = block * threads + t;
    float left = i > 0 ? in[i - 1] : -1, right = i + 1 < total ? in[i + 1] : -2;
    return left + 2 * in[i] + 4 * right;
  });
  DeviceArray<unsigned char> rotated(total);
  rotate<<<blocks, threads>>>(rotated, data);
  check("rotate", rotated, [](int block, int t) {
    auto byte = [&](int t) { return int(at(block, t)) & 255; };
    return byte((t + 37) % threads) ^ byte(t ^ 5) ^ byte(threads - 1 - t);
  });
  DeviceArray<long long> led(total);
  leaders<<<blocks, threads>>>(led, data);
  check("leaders", led, [](int block, int t) {
    auto of = [&](int leader) { return (long long)(at(block, 32 * leader)) * 1000000007; };
    return of(t % 4) + 3 * of(t / 32);
  });
  rows<<<blocks, threads>>>(columns, data);
  check("rows", columns, [](int block, int t) {
    return at(block, t / 64 * 64 + t % 8 * 8 + t / 8 % 8);
  });
  DeviceArray<double> differences(total);
  carved<<<blocks, threads, threads * (sizeof(double) + sizeof(float))>>>(differences, data);
  check("carved", differences, [](int block, int t) {
    return at(block, (t + 1) % threads) * 0.1 - at(block, (t + 2) % threads) * 0.3f;
  });
}

int main() {
  for (int i = 0; i < total; ++i)
    in.push_back(float((i * 7919 + 13) % 1000 - 500) + 0.25f * (i % 3));
  DeviceArray<float> data(in);
  checkTrees(data);
  checkMoves(data);
  DeviceArray<float> tiled(total), branched(total);
  tiles<<<blocks, threads>>>(tiled, data, 3);
  check("tiles", tiled, [](int, int t) {
    float sum = 0;
    for (int n = 0; n < 3; ++n)
      for (int j = 0; j < 8; ++j)
        sum += at(n, j * 16 + t % 16) * (j + t);
    return sum;
  });
  DeviceArray<float> grouped(total);
  groups<<<blocks, threads>>>(grouped, data);
  check("groups", grouped, [](int block, int t) {
    float sum = 0;
    for (int lane = 0; lane < 32; ++lane)
      sum += at(block, t / 32 * 32 + lane);
    return sum + 0.5f * at(block, t / 32 * 32 + 31 - t % 32);
  });
  branches<<<blocks, threads>>>(branched, data);
  check("branches", branched, branchesWanted);
  return verdict("warp_exchanges");
}
