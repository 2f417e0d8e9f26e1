//===- Levels.cpp - Trees over several warps ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block hand elements of shared arrays to each other, in trees and otherwise,
// within warps and between them. Each thread writes its own elements only.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Levels {
public:
  explicit Levels(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void chooseLaunch();
  std::string threadFactors(uint32_t factor, bool contiguous) const;
  void addGrains();
  void phase();
  void halves(const std::string &array, bool inWarp);
  void neighbours(const std::string &array);
  void butterfly(const std::string &array);
  void lastWarp(const std::string &array);
  void read();
  void storeAgain();
  void storeElsewhere(const std::string &array);
  void warpSums();
  void meet() { w.line(c.percent(90) ? "__syncthreads();" : "__syncthreads_or(0);"); }
  /// Returns two elements combined.
  std::string both(const std::string &a, const std::string &b);
  std::string word(unsigned depth = 2) { return w.word({"x", "tid", "gid", input}, depth); }

  Writer &w;
  cooperation::Choices &c;
  const ElementType *type = nullptr;
  uint32_t live = 0; ///< threads of each block that take part
  std::string input;
  bool hasSecond = false;
};

} // namespace

void Levels::chooseLaunch() {
  static const std::vector<uint32_t> sizes = {64, 128, 256, 96, 64, 128, 192, 512, 160, 80, 32};
  uint32_t threads = c.of(sizes);
  std::array<uint32_t, 3> block = {threads, 1, 1};
  if (c.percent(25))
    block = c.percent(50) ? std::array<uint32_t, 3>{threads / 4, 4, 1}
                          : std::array<uint32_t, 3>{threads / 2, 1, 2};
  w.launch(block, c.between(1, 5));
  w.sharesMemory();
  live = c.percent(20) ? threads - 1 - c.below(threads / 2) : threads;
}

/// Returns thread factors for the block whose product is `factor`; empty if it has none.
std::string Levels::threadFactors(uint32_t factor, bool contiguous) const {
  std::string text;
  for (unsigned d : {0, 1, 2}) {
    uint32_t part = std::gcd(factor, w.extent(d));
    factor /= part;
    if (part > 1)
      text += formatv("thread.{0}={1}{2},", "xyz"[d], part, contiguous ? ":contiguous" : "");
  }
  return factor == 1 ? text : "";
}

void Levels::addGrains() {
  std::string known = "exchange=levels," + w.knownBlock();
  w.grain(known);
  for (uint32_t factor : {2u, 4u, 8u})
    for (bool contiguous : {false, true})
      if (w.threads() % (factor * 64) == 0)
        w.grain(threadFactors(factor, contiguous) + known);
  if (w.blocks() > 1)
    w.grain("block.x=2," + known);
  if (w.threads() % 32 == 0 && w.threads() > 32)
    w.grain(threadFactors(w.threads() / 32, false) + "exchange=warp," + w.knownBlock());
}

std::string Levels::both(const std::string &a, const std::string &b) {
  static const std::vector<const char *> whole = {"{0} + {1}", "{0} * 3 + {1}", "{0} ^ {1}",
                                                  "max({0}, {1})", "{0} - {1}"};
  static const std::vector<const char *> real = {"{0} + {1}", "{0} * 0.75f + {1}",
                                                 "({0} > {1} ? {0} : {1})", "{1} - {0}"};
  bool mayOverflow = type->name == std::string_view("int");
  if (mayOverflow && c.percent(70))
    return formatv(c.of(whole), "unsigned(" + a + ")", "unsigned(" + b + ")");
  if (mayOverflow)
    return formatv("max({0}, {1})", a, b);
  return formatv(c.of(type->isReal ? real : whole), a, b);
}

/// A tree in which half of the threads take part, then a quarter, and so on.
void Levels::halves(const std::string &array, bool inWarp) {
  uint32_t first = inWarp ? 16 : llvm::PowerOf2Ceil(live) / 2, last = c.percent(80) ? 0 : 16;
  std::string place = inWarp ? "tid % 32 < far && tid + far < " : "tid < far && tid + far < ";
  w.line(formatv("for (unsigned far = {0}; far > {1}; far /= 2) {{", first, inWarp ? 0 : last));
  w.line("if (" + place + std::to_string(live) + ")");
  w.line(formatv("  {0}[tid] = {1};", array, both(array + "[tid]", array + "[tid + far]")));
  meet();
  w.line("}");
}

/// A tree over neighbours, then over pairs, and so on.
void Levels::neighbours(const std::string &array) {
  w.line(formatv("for (unsigned far = 1; far < {0}; far *= 2) {{", live));
  w.line(formatv("if (tid % (2 * far) == 0 && tid + far < {0})", live));
  w.line(formatv("  {0}[tid] = {1};", array, both(array + "[tid]", array + "[tid + far]")));
  meet();
  w.line("}");
}

/// Each thread combines its element with a partner's, at every level.
void Levels::butterfly(const std::string &array) {
  uint32_t last = c.percent(50) ? 16 : live / 2;
  bool isWhole = llvm::isPowerOf2_32(live);
  std::string other = w.fresh("other"), far = w.fresh("far");
  w.line(formatv("for (unsigned {0} = 1; {0} <= {1}; {0} *= 2) {{", far, last));
  w.line(formatv("{0} {1} = {2}[{3}];", type->name, other, array,
                 isWhole ? "tid ^ " + far : formatv("(tid + {0}) % {1}", far, live).str()));
  meet();
  w.line(formatv("{0}[tid] = {1};", array, both(array + "[tid]", other)));
  meet();
  w.line("}");
}

/// The first warp finishes what all warps have brought to it, in registers or in memory.
void Levels::lastWarp(const std::string &array) {
  if (live < 64)
    return halves(array, true);
  w.line("if (tid < 32) {");
  w.line(formatv("{0}[tid] = {1};", array, both(array + "[tid]", array + "[tid + 32]")));
  w.line("__syncwarp();");
  for (unsigned far = 16; far > 0; far /= 2) {
    std::string other = w.fresh("other");
    w.line(formatv("{0} {1} = {2}[tid + {3}];", type->name, other, array, far));
    w.line("__syncwarp();");
    w.line(formatv("{0}[tid] = {1};", array, both(array + "[tid]", other)));
    w.line("__syncwarp();");
  }
  w.line("}");
  meet();
}

/// All threads read elements that no thread writes before the next barrier.
void Levels::read() {
  uint32_t distance = c.percent(50) ? c.below(live) : 32 * c.below(4) + c.below(2);
  std::string array = hasSecond && c.percent(40) ? "more" : "part";
  std::vector<std::string> indices = {"0",
                                      std::to_string(distance % live),
                                      formatv("(tid + {0}) % {1}", distance, live),
                                      formatv("{0} - tid", live - 1),
                                      "tid / 32 * 32",
                                      formatv("tid / 32 * 32 + {0} % {1}", 0, 1)};
  if (llvm::isPowerOf2_32(live))
    indices.push_back(formatv("tid ^ {0}", distance % live));
  std::string index = c.of(indices);
  w.line(formatv("x = x * 5 + {0};", filled(type->bits, array + "[" + index + "]")));
  meet();
}

/// Each thread writes its element once more, some of them under a condition.
void Levels::storeAgain() {
  if (c.percent(60))
    w.line("if (" + w.condition({"x", "tid", "gid"}) + ")");
  w.line(formatv("  part[tid] = {0};", both("part[tid]", filled(type->make, word()))));
  meet();
}

/// Each thread writes the element of another one.
void Levels::storeElsewhere(const std::string &array) {
  w.line(formatv("{0}[(tid + {1}) % {2}] = {3};", array,
                 c.percent(50) ? c.below(live) : 32 * c.below(3) + c.below(3), live,
                 filled(type->make, word())));
  meet();
}

/// The first lane of each warp stores for its warp, and all threads read what warps have stored.
void Levels::warpSums() {
  std::string sums = w.fresh("sums");
  uint32_t warps = (live + 31) / 32;
  w.line(formatv("__shared__ {0} {1}[{2}];", type->name, sums, warps));
  w.line("if (tid % 32 == 0)");
  w.line(formatv("  {0}[tid / 32] = part[tid];", sums));
  meet();
  w.line(formatv(
      "x += {0} * 7;",
      filled(type->bits, formatv("{0}[{1} % {2}]", sums,
                                 c.percent(50) ? "tid" : std::to_string(c.below(16)), warps))));
  meet();
}

void Levels::phase() {
  std::string array = hasSecond && c.percent(30) ? "more" : "part";
  switch (c.below(10)) {
  case 0:
  case 1:
    return halves(array, c.percent(30));
  case 2:
    return neighbours(array);
  case 3:
    return butterfly(array);
  case 4:
    return warpSums();
  case 5:
    return lastWarp(array);
  case 6:
    return storeAgain();
  case 7:
    return storeElsewhere(array);
  default:
    return read();
  }
}

void Levels::write() {
  chooseLaunch();
  uint32_t all = w.threads() * w.blocks();
  type = &c.of(elementTypes());
  std::string out = w.pointer("unsigned", w.memory(all)),
              in = w.pointer("const unsigned", w.memory(all));
  std::string n = w.scalar("unsigned", c.between(1, 6));
  w.line("unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);");
  w.line(formatv("unsigned gid = blockIdx.x * {0} + tid;", w.threads()));
  w.line(formatv("__shared__ {0} part[{1}];", type->name, w.threads()));
  hasSecond = c.percent(30);
  if (hasSecond)
    w.line(formatv("__shared__ {0} more[{1}];", type->name, w.threads()));
  if (c.percent(15))
    w.line(formatv("if (blockIdx.x == {0})\n    return;", n));
  if (live != w.threads())
    w.line(formatv("if (tid >= {0})\n    return;", live));
  input = in + "[gid]";
  w.line(formatv("unsigned x = {0} + {1};", input, w.word({"tid", "gid", input})));
  w.line(formatv("part[tid] = {0};", filled(type->make, "x")));
  if (hasSecond)
    w.line(formatv("more[tid] = {0};", filled(type->make, word())));
  meet();
  for (uint32_t phases = c.between(1, 4); phases > 0; --phases) {
    uint32_t how = c.below(10);
    if (how == 8)
      w.line(formatv("if ({0} > 3) {{", n));
    if (how == 9)
      w.line(formatv("for (unsigned round = 0; round < {0} % 3; ++round) {{", n));
    phase();
    if (how >= 8)
      w.line("}");
  }
  w.line(formatv("x ^= {0};", filled(type->bits, c.percent(50) ? "part[0]" : "part[tid]")));
  w.line(formatv("{0}[gid] = x + {1};", out, word(1)));
  addGrains();
}

void writeLevels(Writer &w) { Levels(w).write(); }

} // namespace regrain::fuzz::patterns
