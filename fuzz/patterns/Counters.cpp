//===- Counters.cpp - Blocks that accumulate in shared memory -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block clear an array in shared memory, update its elements by atomic operations, and
// add them to global memory, which blocks have in common. In many programs joined blocks can have
// one array for this. In others something is in the way: the array is filled with other values,
// blocks flush to addresses of their own, under conditions, by another operation, or read the array
// for something else.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

/// An atomic operation, and the value that changes nothing, of each type.
struct Combination {
  const char *type, *function, *neutral;
  bool isIdempotent; ///< any value may be the first
};

const std::vector<Combination> combinations = {{"unsigned", "atomicAdd", "0u", false},
                                               {"unsigned", "atomicAdd", "0u", false},
                                               {"int", "atomicAdd", "0", false},
                                               {"unsigned", "atomicSub", "0u", false},
                                               {"unsigned", "atomicXor", "0u", false},
                                               {"unsigned", "atomicOr", "0u", true},
                                               {"unsigned", "atomicAnd", "~0u", true},
                                               {"unsigned", "atomicMax", "0u", true},
                                               {"unsigned", "atomicMin", "~0u", true},
                                               {"int", "atomicMax", "(-2147483647 - 1)", true},
                                               {"int", "atomicMin", "2147483647", true},
                                               {"unsigned long long", "atomicAdd", "0ull", false},
                                               {"unsigned long long", "atomicMax", "0ull", true}};

class Counters {
public:
  explicit Counters(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void chooseSizes();
  void declare();
  void forElements(const std::string &statement);
  void clear();
  void update();
  void flush();
  void readOtherwise();
  void addGrains();
  bool rarely() { return c.percent(9); }

  Writer &w;
  cooperation::Choices &c;
  Combination combination = {};
  uint32_t elements = 0, count = 0; ///< of the array, and of the input
  std::string data, out, own, n;    ///< parameters
  bool flushesByBlock = false;      ///< memory is there for each of two blocks
};

} // namespace

void Counters::chooseSizes() {
  static const std::vector<std::array<uint32_t, 3>> blocks = {
      {32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {16, 4, 1}, {48, 1, 1}};
  static const std::vector<uint32_t> sizes = {1, 4, 32, 33, 64, 100};
  uint32_t rows = c.percent(15) ? 2 : 1;
  w.launch(c.of(blocks), {c.between(1, 9), rows, 1});
  combination = c.of(combinations);
  elements = c.of(sizes);
  uint32_t all = w.threads() * w.blocks();
  count = c.percent(60) ? all : all - c.below(std::min(all, 70u));
}

void Counters::declare() {
  w.sharesMemory();
  if (c.percent(25)) {
    w.line(formatv("extern __shared__ {0} held[];", combination.type));
    w.dynamicBytes(elements * 8);
  } else {
    w.line(formatv("__shared__ {0} held[{1}];", combination.type, elements));
  }
  w.line("unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;");
  w.line("unsigned threads = blockDim.x * blockDim.y;");
  w.line("unsigned block = blockIdx.y * gridDim.x + blockIdx.x;");
  w.line("unsigned first = block * threads + thread, x = thread;");
}

/// Runs a statement for each element `e` of the array, by some thread.
void Counters::forElements(const std::string &statement) {
  if (elements <= w.threads() && c.percent(40)) {
    w.line("if (unsigned e = thread; e < " + std::to_string(elements) + ")");
    return w.line("  " + statement);
  }
  w.line(formatv("for (unsigned e = thread; e < {0}; e += threads)", elements));
  w.line("  " + statement);
}

void Counters::clear() {
  std::string value = combination.neutral;
  if (c.percent(combination.isIdempotent ? 35 : 15))
    value = formatv("{0}({1} + e)", combination.type == std::string("int") ? "int" : "unsigned",
                    c.between(1, 9));
  if (rarely())
    value = c.percent(50) ? "block" : n;
  forElements(formatv("held[e] = {0};", value));
}

void Counters::update() {
  std::string value = combination.isIdempotent || c.percent(50)
                          ? "(" + w.word({"x", "first", "at"}) + ")"
                          : std::to_string(c.between(1, 3));
  std::string place = formatv("{0} % {1}u", w.word({data + "[at]", "at"}, 1), elements);
  bool isLoop = c.percent(35);
  if (isLoop)
    w.line(formatv("for (unsigned at = first; at < {0}; at += {1}) {{", n,
                   w.threads() * w.blocks() / c.between(1, 3) + 1));
  else
    w.line(formatv("if (unsigned at = first; at < {0}) {{", n));
  if (c.percent(30))
    w.line("x = x * 3 + " + data + "[at];");
  w.line(
      formatv("{0}(&held[{1}], ({2}){3});", combination.function, place, combination.type, value));
  if (c.percent(15))
    w.line(formatv("{0}(&held[{1}], ({2})x);", combination.function, c.below(elements),
                   combination.type));
  w.line("}");
}

void Counters::flush() {
  const char *function =
      rarely() ? (c.percent(50) ? "atomicMax" : "atomicAdd") : combination.function;
  std::string to =
      flushesByBlock ? formatv("{0}[(block & 1) * {1} + e]", out, elements).str() : out + "[e]";
  std::string from = rarely() ? formatv("(e + block) % {0}u", elements).str() : "e";
  std::string statement = formatv("{0}(&{1}, held[{2}]);", function, to, from);
  if (c.percent(30))
    statement = formatv("if (held[e] != {0}) {1}", combination.neutral, statement);
  else if (rarely())
    statement = formatv("if (held[e] > 2) {0}", statement);
  else if (rarely())
    statement = formatv("if (held[0] != {0}) {1}", combination.neutral, statement);
  if (rarely())
    statement = "if (block % 3 != 1) " + statement;
  forElements(statement);
}

/// What is read from the array goes to memory of the block.
void Counters::readOtherwise() { w.line(formatv("x += unsigned(held[thread % {0}]);", elements)); }

void Counters::addGrains() {
  for (const char *blocks : {"block.x=2", "block.x=3", "block.x=4", "block.x=2:remainder",
                             "block.x=6,steps=3", "block.x=4,steps=4"}) {
    std::string common = std::string(blocks) + ",shared=common";
    w.grain(common);
    w.grain("thread.x=2:contiguous," + common);
    w.grain("thread.x=2," + common);
    w.grain("fuse.x=2," + common);
  }
  w.grain("block.y=2,shared=common");
}

void Counters::write() {
  chooseSizes();
  uint32_t all = w.threads() * w.blocks();
  data = w.pointer("const unsigned", w.memory(all), 0, /*isRestrict=*/c.percent(50));
  flushesByBlock = c.percent(15);
  out = w.pointer(combination.type, w.memory(elements * 2 * 2));
  own = w.pointer("unsigned", w.memory(all));
  n = w.scalar("unsigned", count);
  declare();
  bool isRepeated = c.percent(15);
  if (isRepeated)
    w.line(formatv("for (unsigned round = 0; round < {0}; ++round) {{", c.between(2, 3)));
  clear();
  w.line("__syncthreads();");
  update();
  w.line("__syncthreads();");
  if (rarely())
    readOtherwise();
  flush();
  if (isRepeated) {
    w.line("__syncthreads();");
    w.line("}");
  }
  if (c.percent(50))
    w.line(own + "[first] = x;");
  addGrains();
}

void writeCounters(Writer &w) { Counters(w).write(); }

} // namespace regrain::fuzz::patterns
