//===- group_partitions.cu - Partitions of groups ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are tested, partitions of tiles and of coalesced groups by labels and by predicates,
// and tiles of a size known only at run time; with each group's whole interface.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc -c --targets=compute_70,sm_90 -o %t.o %s
#include "expect.h"
#include <cooperative_groups.h>

#include <functional>

namespace cg = cooperative_groups;

constexpr int fields = 15;

__host__ __device__ int valueOf(int thread, int block) { return (thread * 37 + block * 11) % 29; }

// Records a group's properties and the results of its lanes; `value` is the thread's own.
template <class Group> __device__ int *record(const Group &group, int value, int *out) {
  int same = 2, alike = 2;
  out[0] = int(group.thread_rank());
  out[1] = int(group.num_threads());
  out[2] = int(group.size());
  out[3] = int(group.meta_group_rank() * 100 + group.meta_group_size());
  out[4] = group.shfl(value, value % group.num_threads());
  out[5] = group.shfl(value, 0);
  out[6] = group.shfl_up(value, 1);
  out[7] = int(group.shfl_up(value * 0x100000001LL, 3) >> 32);
  out[8] = group.shfl_down(value, 1);
  out[9] = int(group.shfl_down(value + 0.5, 5) * 2);
  out[10] = int(group.ballot(value & 1));
  out[11] = (group.any(value == 3) != 0) * 2 + (group.all(value > 2) != 0);
  out[12] = int(group.match_any(value & 3));
  out[13] = int(group.match_all(value / 64, same)) ^ same;
  out[14] = int(group.match_all((value & 8) * 0x100000000LL, alike)) ^ alike;
  group.sync();
  return out + fields;
}

struct Groups {
  int *out, perThread;
  __device__ int block() const { return blockIdx.x; }
  __device__ int thread() const { return threadIdx.x + blockDim.x * threadIdx.y; }
  __device__ int *mine() const {
    return out + (block() * blockDim.x * blockDim.y + thread()) * perThread;
  }
};

template <unsigned Size> __global__ void fixedTiles(Groups groups) {
  int value = valueOf(groups.thread(), groups.block());
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int *out = record(tile, value, groups.mine());
  *out = tile.shfl_xor(value, Size / 2);
}

template <unsigned Size> __global__ void partsOfTiles(Groups groups) {
  int value = valueOf(groups.thread(), groups.block());
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  cg::coalesced_group half = cg::binary_partition(tile, value % 3 != 0);
  const cg::coalesced_group all[] = {half,
                                     cg::labeled_partition(tile, value % 5),
                                     cg::labeled_partition(half, (value & 6) * 0x100000001LL),
                                     cg::labeled_partition(half, groups.out + (value & 1)),
                                     cg::labeled_partition(half, (short)-(value & 8)),
                                     cg::binary_partition(half, value > 28),
                                     cg::tiled_partition(half, 4)};
  int *out = groups.mine();
#pragma unroll 1
  for (const cg::coalesced_group &group : all)
    out = record(group, value, out);
}

// These groups are made and used while the other threads are elsewhere.
__global__ void partsInBranches(Groups groups) {
  int value = valueOf(groups.thread(), groups.block());
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::coalesced_group half = cg::binary_partition(warp, value % 3 != 0);
  int *out = groups.mine();
  if (value % 3 != 0) {
    auto part = cg::labeled_partition(half, value > 14);
    out[0] = part.shfl(value, part.num_threads() - 1);
    out[1] = int(part.ballot(value & 1));
  } else {
    auto part = cg::binary_partition(half, value > 7);
    out[0] = part.shfl(value, 0);
    out[1] = int(part.ballot(value & 2));
  }
}

__global__ void runTimeSizes(Groups groups, unsigned size, unsigned smaller) {
  __shared__ int exchanged[256];
  cg::thread_group block = cg::this_thread_block();
  cg::thread_group tile = cg::tiled_partition(block, size);
  cg::thread_group part = cg::tiled_partition(tile, smaller);
  auto eight = cg::tiled_partition<8>(cg::this_thread_block());
  const cg::thread_group all[] = {block, tile, part, cg::tiled_partition(eight, 2)};
  int *out = groups.mine(), thread = groups.thread();
  for (const cg::thread_group &group : all) {
    int rank = int(group.thread_rank()), threads = int(group.size());
    exchanged[thread] = valueOf(thread, groups.block());
    group.sync();
    out[0] = rank;
    out[1] = threads + int(cg::thread_rank(group)) - rank;
    out[2] = exchanged[thread - rank + (rank + 1) % threads];
    cg::sync(group);
    out += 3;
  }
  *out = int(cg::this_thread().num_threads() + cg::this_thread().thread_rank());
}

using Members = std::vector<int>; // threads of one block, in order
using Label = std::function<int(int thread)>;

struct Launch {
  dim3 block;
  int grid = 3;
  int threads() const { return block.x * block.y; }
};

// The part of the members that contains `thread`; its number, and the number of parts.
struct Part {
  Members members;
  int number = 0, count = 1;
};

Part partOf(const Members &parent, int thread, const Label &label) {
  Part part;
  Members firsts; // the labels, in the order of their first members
  for (int member : parent) {
    bool seen = false;
    for (int first : firsts)
      seen = seen || label(first) == label(member);
    if (!seen)
      firsts.push_back(member);
    if (label(member) == label(thread))
      part.members.push_back(member);
  }
  part.count = int(firsts.size());
  while (label(firsts[part.number]) != label(thread))
    ++part.number;
  return part;
}

int rankIn(const Members &members, int thread) {
  int rank = 0;
  while (members[rank] != thread)
    ++rank;
  return rank;
}

Part tileOf(const Members &parent, int thread, int size) {
  return partOf(parent, thread, [&](int member) { return rankIn(parent, member) / size; });
}

Members wholeBlock(const Launch &launch) {
  Members all;
  for (int thread = 0; thread < launch.threads(); ++thread)
    all.push_back(thread);
  return all;
}

const int *expectRecord(const char *what, int thread, int block, const int *got, const Part &part) {
  const Members &members = part.members;
  int count = int(members.size()), rank = rankIn(members, thread);
  auto at = [&](int other) { return valueOf(members[other], block); };
  int own = at(rank), odd = 0, alike = 0, eights = 0;
  bool any = false, all = true;
  for (int other = 0; other < count; ++other) {
    odd |= (at(other) & 1) << other;
    alike |= ((at(other) & 3) == (own & 3)) << other;
    eights += (at(other) & 8) == (own & 8);
    any = any || at(other) == 3;
    all = all && at(other) > 2;
  }
  int every = count == 32 ? -1 : (1 << count) - 1;
  const int wanted[fields] = {rank,
                              count,
                              count,
                              part.number * 100 + part.count,
                              at(own % count),
                              at(0),
                              at(rank >= 1 ? rank - 1 : rank),
                              at(rank >= 3 ? rank - 3 : rank),
                              at(rank + 1 < count ? rank + 1 : rank),
                              at(rank + 5 < count ? rank + 5 : rank) * 2 + 1,
                              odd,
                              any * 2 + all,
                              alike,
                              every ^ 1,
                              eights == count ? every ^ 1 : 0};
  for (int field = 0; field < fields; ++field)
    expectEqual(what, thread * 100 + field, got[field], wanted[field]);
  return got + fields;
}

template <class Kernel, class Check>
void run(const Launch &launch, int perThread, Kernel kernel, Check check) {
  DeviceArray<int> out(launch.grid * launch.threads() * perThread);
  kernel(Groups{out, perThread});
  auto got = out.host();
  for (int i = 0; i < launch.grid * launch.threads(); ++i)
    check(i % launch.threads(), i / launch.threads(), &got[i * perThread]);
}

template <unsigned Size> void checkTiles(const Launch &launch) {
  run(
      launch, fields + 1,
      [&](Groups groups) { fixedTiles<Size><<<launch.grid, launch.block>>>(groups); },
      [&](int thread, int block, const int *got) {
        got = expectRecord("tile", thread, block, got, tileOf(wholeBlock(launch), thread, Size));
        expectEqual("shfl_xor", thread, *got, valueOf(thread ^ Size / 2, block));
      });
}

template <unsigned Size> void checkParts(const Launch &launch) {
  run(
      launch, 7 * fields,
      [&](Groups groups) { partsOfTiles<Size><<<launch.grid, launch.block>>>(groups); },
      [&](int thread, int block, const int *got) {
        auto value = [=](int other) { return valueOf(other, block); };
        auto check = [&](const char *what, const Part &part) {
          got = expectRecord(what, thread, block, got, part);
        };
        Members tile = tileOf(wholeBlock(launch), thread, Size).members;
        Part half = partOf(tile, thread, [=](int other) { return value(other) % 3 != 0; });
        if (half.count == 2)
          half.number = value(thread) % 3 != 0;
        auto cut = [&](const char *what, Label label) {
          check(what, partOf(half.members, thread, label));
        };
        check("half", half);
        check("label", partOf(tile, thread, [=](int other) { return value(other) % 5; }));
        cut("long label", [=](int other) { return value(other) & 6; });
        cut("pointer", [=](int other) { return value(other) & 1; });
        cut("short label", [=](int other) { return value(other) & 8; });
        cut("nobody", [=](int) { return 0; });
        check("of four", tileOf(half.members, thread, 4));
      });
}

void checkBranches(const Launch &launch) {
  run(
      launch, 2, [&](Groups groups) { partsInBranches<<<launch.grid, launch.block>>>(groups); },
      [&](int thread, int block, const int *got) {
        auto value = [=](int other) { return valueOf(other, block); };
        auto label = [=](int other) {
          int own = value(other);
          return own % 3 != 0 ? own > 14 : 2 + (own > 7);
        };
        Members tile = tileOf(wholeBlock(launch), thread, 32).members;
        Members part = partOf(tile, thread, label).members;
        int taken = label(thread) < 2, bits = 0;
        for (size_t rank = 0; rank < part.size(); ++rank)
          bits |= ((value(part[rank]) & (taken ? 1 : 2)) != 0) << rank;
        expectEqual("of a branch", thread, got[0], value(taken ? part.back() : part.front()));
        expectEqual("ballot of a branch", thread, got[1], bits);
      });
}

void checkRunTimeSizes(const Launch &launch, int size, int smaller) {
  run(
      launch, 13,
      [&](Groups groups) { runTimeSizes<<<launch.grid, launch.block>>>(groups, size, smaller); },
      [&](int thread, int block, const int *got) {
        Members all = wholeBlock(launch), tile = tileOf(all, thread, size).members;
        const Members groups[] = {all, tile, tileOf(tile, thread, smaller).members,
                                  tileOf(all, thread, 2).members};
        for (const Members &group : groups) {
          int rank = rankIn(group, thread), count = int(group.size());
          expectEqual("run-time rank", thread, *got++, rank);
          expectEqual("run-time size", thread, *got++, count);
          expectEqual("next in group", thread, *got++, valueOf(group[(rank + 1) % count], block));
        }
        expectEqual("one thread", thread, *got, 1);
      });
}

int main() {
  for (dim3 block : {dim3(64), dim3(96), dim3(16, 4)}) {
    Launch launch{block};
    checkTiles<1>(launch);
    checkTiles<16>(launch);
    checkParts<32>(launch);
    checkBranches(launch);
    checkRunTimeSizes(launch, 32, 32);
    checkRunTimeSizes(launch, 16, 4);
    checkRunTimeSizes(launch, 8, 1);
  }
  return verdict("group_partitions");
}
