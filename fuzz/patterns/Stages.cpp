//===- Stages.cpp - Loops around barriers over tiles in turn --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block fills tiles in shared memory, one in turn, and its threads read what others have written.
// The loops have barriers or operations of a warp, and are unrolled as the program asks: counters
// of several types, from and to numbers that the block shares, also past the ends of their types,
// steps that are not constant, conditions under which all threads leave. Elements are read through
// generic pointers and through ones that are cast to shared memory and back, at sums of several
// steps and at places that are exchanged by `^`.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

constexpr uint32_t mostTrips = 24, mostPitch = 12;

class Stages {
public:
  explicit Stages(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declare();
  void pragma();
  std::string counted(const std::string &end);
  void fill();
  void read();
  void meetBlock();
  void meetWarp();
  void meetNobody();
  std::string place();

  Writer &w;
  cooperation::Choices &c;
  uint32_t threads = 32, stages = 2, rows = 1;
  std::string trip; ///< the number of the iteration, from 0
};

} // namespace

/// Each thread writes elements of its own column of each tile.
void Stages::declare() {
  static const std::vector<uint32_t> sizes = {32, 64, 96, 128};
  threads = c.of(sizes);
  stages = c.between(2, 4);
  rows = c.of(std::vector<uint32_t>{1, 2, 4, 8});
  w.launch({threads, 1, 1}, c.between(1, 3));
  uint32_t words = (mostTrips + 8) * mostPitch + threads;
  w.pointer("const unsigned", w.memory(words), 0, c.percent(60), "in");
  w.pointer("unsigned", w.memory(threads * w.blocks()), 0, c.percent(60), "out");
  w.scalar("int", c.percent(15) ? 0 : c.below(mostTrips), "n");
  w.scalar("int", c.between(1, mostPitch), "pitch");
  w.scalar("unsigned", c.of(std::vector<uint32_t>{0, 1, 5, 0xfffffffa, 0x7ffffffc}), "first");
  w.sharesMemory();
  w.line("unsigned tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;");
  w.line("unsigned x = in[tid] + blockIdx.x, k = 0;");
  w.line(formatv("__shared__ unsigned tiles[{0}][{1}][{2}];", stages, rows, threads));
  if (c.percent(60))
    w.line("unsigned *const turns[] = {tiles[0][0], tiles[1][0]};");
  else
    w.line(formatv("unsigned *turns[] = {{tiles[n & 1][0], tiles[{0} - (n & 1)][0]};", stages - 1));
  w.line("__syncthreads();");
}

void Stages::pragma() {
  static const std::vector<uint32_t> factors = {2, 3, 4, 4, 5, 8, 16};
  if (c.percent(75))
    w.line(formatv("#pragma unroll {0}", c.of(factors)));
}

/// Begins a loop of `end` iterations. `trip` counts them.
std::string Stages::counted(const std::string &end) {
  trip = "unsigned(i)";
  switch (c.below(9)) {
  case 0:
    trip = "(i - first)";
    return formatv("for (unsigned i = first; i != first + ({0}); ++i) {{", end);
  case 1:
    trip = formatv("unsigned(({0}) - i)", end);
    return formatv("for (int i = {0}; i > 0; i -= 2) {{", end);
  case 2:
    return formatv("for (size_t i = 0; i < size_t({0}); i += 3) {{", end);
  case 3:
    trip = "unsigned(i + 2)";
    return formatv("for (long long i = -2; i < int({0}) - 2; ++i) {{", end);
  case 4:
    return formatv("for (unsigned char i = 0; i < {0}; ++i) {{", end);
  case 5:
    trip = "(unsigned(i) / pitch)";
    return formatv("for (int i = 0; i < int({0}) * pitch; i += pitch) {{", end);
  case 6:
    return formatv("for (unsigned i = 0; i < unsigned({0}); i += (n & 1) + 1) {{", end);
  default:
    return formatv("for (int i = 0; i < int({0}); ++i) {{", end);
  }
}

/// Returns a place in a tile.
std::string Stages::place() {
  uint32_t all = rows * threads;
  switch (c.below(6)) {
  case 0:
    return formatv("((tid + {0}) ^ ({1} & 7))", c.below(rows) * threads,
                   w.word({"x", "tid", "k"}, 1));
  case 1:
    return formatv("(tid ^ {0})", c.below(8));
  case 2:
    return formatv("((tid + {0}) % {1})", w.word({"k", "tid", trip}, 1), all);
  case 3:
    return formatv("(({0} & {1}) * {2} + (tid ^ 1))", trip, rows - 1, threads);
  case 4:
    return formatv("({0} + tid)", c.below(rows) * threads);
  default:
    return formatv("(({0} + lane) % {1})", trip, all);
  }
}

/// Fills the column of the thread in the tile at `tile`.
void Stages::fill() {
  static const std::vector<const char *> places = {
      "in[{0} * pitch + int(tid)]", "in[int({0}) * pitch + int(tid)]", "in[({0} * 5 + tid) & 63]",
      "(x ^ {0})", "in[size_t({0}) * unsigned(pitch) + tid]"};
  std::string loaded = formatv(c.of(places), trip);
  if (rows > 1)
    w.line(formatv("for (unsigned r = 0; r < {0}; ++r)\n      tile[r * {1} + tid] = {2} + r;", rows,
                   threads, loaded));
  else
    w.line(formatv("tile[tid] = {0};", loaded));
}

/// Reads elements of the tile at `tile`, which other threads may have written.
void Stages::read() {
  for (uint32_t count = c.between(1, 3); count > 0; --count) {
    std::string from = place();
    bool isRow = c.percent(30);
    if (isRow) {
      w.line("#pragma unroll");
      w.line("for (unsigned r = 0; r < 4; ++r)");
      from = formatv("({0} + r * {1}) % {2}", from, c.of(std::vector<uint32_t>{1, 8, threads}),
                     rows * threads);
    }
    switch (c.below(4)) {
    case 0:
      w.line(formatv("x = x * 3 + *(const unsigned *)__cvta_shared_to_generic("
                     "__cvta_generic_to_shared(&tile[{0}]));",
                     from));
      break;
    case 1:
      w.line(formatv("x = x * 5 + unsigned(__cvta_generic_to_shared(&tile[{0}]) - "
                     "__cvta_generic_to_shared(tile));",
                     from));
      break;
    case 2:
      w.line(formatv("x ^= (tile + {0})[0];", from));
      break;
    default:
      w.line(formatv("x = x * 3 + tile[{0}];", from));
    }
  }
}

/// A loop in which all threads of the block meet.
void Stages::meetBlock() {
  static const std::vector<const char *> ends = {"n",
                                                 "n",
                                                 "n",
                                                 "(n & 7) + 1",
                                                 "in[blockIdx.x] % 9",
                                                 "int(blockIdx.x) + 2",
                                                 "min(n, 6)",
                                                 "4",
                                                 "__syncthreads_count(x & 1) & 7"};
  std::string end = w.fresh("end");
  w.line(formatv("const int {0} = {1};", end, c.of(ends)));
  if (c.percent(40))
    w.line("k = 0;");
  pragma();
  w.line(counted(end));
  static const std::vector<const char *> turns = {"tiles[k % {0}][0]", "turns[k & 1]",
                                                  "&tiles[k % {0}][0][0]"};
  w.line("{");
  w.line(formatv("unsigned *tile = {0};", formatv(c.of(turns), stages)));
  if (c.percent(20))
    w.line(formatv("if (in[({0} + n) & 31] % {1} == 1)\n      break;", trip, c.between(5, 13)));
  if (c.percent(15))
    w.line(formatv("if (in[{0} & 31] % 3 == 1)\n      continue;", trip));
  fill();
  w.line("__syncthreads();");
  read();
  if (c.percent(20))
    w.line(formatv("x += __shfl_xor_sync(~0u, x, {0});", c.between(1, 31)));
  w.line("__syncthreads();");
  w.line("++k;");
  w.line("}");
  w.line("}");
}

/// A loop in which the lanes of a warp meet, as often as the warp wants.
void Stages::meetWarp() {
  static const std::vector<const char *> ends = {"n", "n", "int(warp) + n", "in[warp] % 9",
                                                 "(n ^ int(warp)) & 15"};
  static const std::vector<const char *> meetings = {
      "x = x * 3 + __shfl_xor_sync(~0u, x, 5);",
      "x += __shfl_sync(~0u, x, {0} & 31);",
      "x = x * 5 + __ballot_sync(~0u, x & 1);",
      "tile[tid] = x ^ {0};\n    __syncwarp();\n    x += tile[tid ^ 3] * 3;\n    __syncwarp();",
      "x = x * 7 + __reduce_add_sync(~0u, x & 255);",
      "if (__any_sync(~0u, x % 37 == 5))\n      break;"};
  std::string end = w.fresh("end");
  w.line(formatv("const int {0} = {1};", end, c.of(ends)));
  w.line("unsigned *tile = turns[0];");
  pragma();
  w.line(counted(end));
  for (uint32_t count = c.between(1, 2); count > 0; --count)
    w.line(formatv(c.of(meetings), trip));
  if (c.percent(40))
    w.line(formatv("x = x * 3 + in[int({0}) * pitch + int(tid)];", trip));
  w.line("}");
  w.line("__syncthreads();");
}

/// A loop of each thread, with assembly that computes.
void Stages::meetNobody() {
  static const std::vector<const char *> ends = {"n", "int(tid & 7) + 1", "(n ^ int(lane)) & 15"};
  static const std::vector<const char *> computations = {
      "asm volatile(\"mad.lo.u32 %0, %0, %1, %1;\" : \"+r\"(x) : \"r\"({0}));",
      "asm(\"xor.b32 %0, %0, %1;\" : \"+r\"(x) : \"r\"({0}));"};
  std::string end = w.fresh("end");
  w.line(formatv("const int {0} = {1};", end, c.of(ends)));
  pragma();
  w.line(counted(end));
  w.line(formatv(c.of(computations), trip));
  w.line(formatv("x = x * 3 + in[int({0}) * pitch + int(lane)];", trip));
  w.line("}");
}

void Stages::write() {
  declare();
  static void (Stages::*const kinds[])() = {&Stages::meetBlock, &Stages::meetBlock,
                                            &Stages::meetBlock, &Stages::meetWarp,
                                            &Stages::meetNobody};
  for (uint32_t count = c.between(1, 3); count > 0; --count) {
    w.line("{");
    (this->*kinds[c.below(std::size(kinds))])();
    w.line("}");
  }
  w.line("out[blockIdx.x * blockDim.x + tid] = x + k;");
  w.grain("thread.x=2");
  w.grain("block.x=2");
  w.grain("fuse.x=2");
  w.grain("thread.x=2:contiguous,block.x=2");
}

void writeStages(Writer &w) { Stages(w).write(); }

} // namespace regrain::fuzz::patterns
