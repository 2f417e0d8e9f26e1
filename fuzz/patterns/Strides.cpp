//===- Strides.cpp - Blocks that stride through a range -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block, or of the grid, take one element each, and go on by a distance that they have
// in common. They write other elements, or update counters by atomic operations. In many programs
// each thread may take several neighbours instead. In others something is in the way: results that
// are used, values that threads have of their own, elements of other iterations, another distance,
// numbers at their ends, or memory that is touched around the loop.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Strides {
public:
  explicit Strides(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void chooseSizes();
  void declare();
  void writeLoop();
  std::string value();
  void store();
  void update();
  void flush();
  void addGrains();
  bool rarely() { return c.percent(8); }

  Writer &w;
  cooperation::Choices &c;
  bool ofGrid = false, updates = false, isShared = false;
  uint32_t count = 0; ///< elements of a block's range, or of the grid's
  std::string data, out, own, counts, n;
  std::string counter, index; ///< the type of the counter; the element
};

} // namespace

void Strides::chooseSizes() {
  static const std::vector<std::array<uint32_t, 3>> blocks = {
      {32, 1, 1}, {64, 1, 1}, {48, 1, 1}, {16, 4, 1}, {8, 2, 1}, {6, 1, 1}, {96, 1, 1}};
  w.launch(c.of(blocks), {c.between(1, 5), 1, 1});
  ofGrid = c.percent(60);
  uint32_t round = w.extent(0) * (ofGrid ? w.blocks() : 1);
  count = round * c.between(1, 6) + (c.percent(70) ? c.below(round) : 0);
  updates = c.percent(40);
  isShared = updates && c.percent(70);
  counter = c.of(std::vector<std::string>{"int", "int", "unsigned", "size_t", "long long"});
}

void Strides::declare() {
  if (isShared) {
    w.sharesMemory();
    w.line("__shared__ unsigned held[16];");
    w.line("if (threadIdx.y == 0) for (unsigned e = threadIdx.x; e < 16; e += blockDim.x) held[e] "
           "= 0;");
    w.line("__syncthreads();");
  }
  w.line("unsigned x = blockIdx.x * 3 + threadIdx.y;");
}

std::string Strides::value() {
  std::vector<std::string> of = {"x", "unsigned(i)", data + "[at]"};
  if (rarely())
    of.push_back("threadIdx.x");
  return w.word(of);
}

void Strides::store() {
  std::string to = c.percent(30) ? data : out;
  std::string at = "at";
  if (rarely())
    at = formatv("at / {0}", c.between(2, 4));
  else if (rarely())
    at = "at + " + std::to_string(c.between(1, 3));
  // A place that threads could share is written by one value.
  bool isApart = at == "at";
  w.line(formatv("{0}[{1}] {2}= {3};", isApart ? to : out, at, isApart && c.percent(30) ? "+" : "",
                 isApart ? value() : std::string("7u")));
}

void Strides::update() {
  static const std::vector<std::string> functions = {"atomicAdd", "atomicAdd", "atomicXor",
                                                     "atomicMax", "atomicOr",  "atomicSub"};
  std::string place = formatv("({0}) % 16u", c.percent(60) ? data + "[at]" : value());
  std::string memory = isShared ? "held" : counts;
  std::string function = c.of(functions);
  w.line(formatv("{0}(&{1}[{2}], {3});", function, memory, place,
                 c.percent(50) ? std::string("1u") : value()));
  if (rarely() && function != "atomicSub")
    w.line(formatv("{0}(&{1}[{2}], 3u);", function, memory, c.below(16)));
}

void Strides::writeLoop() {
  std::string start = ofGrid ? "blockIdx.x * blockDim.x + threadIdx.x" : "threadIdx.x";
  std::string step = ofGrid ? "gridDim.x * blockDim.x" : "blockDim.x";
  if (rarely())
    step = std::to_string(w.extent(0) * (ofGrid ? w.blocks() : 1));
  if (rarely())
    start = formatv("{0} + {1}", start, c.between(1, 5));
  bool isWhile = c.percent(30);
  if (isWhile) {
    w.line(formatv("{0} i = {1};", counter, start));
    w.line(formatv("while (i < {0}) {{", n));
  } else {
    w.line(formatv("for ({0} i = {1}; i < {2}; i += {3}) {{", counter, start, n, step));
  }
  // Rows of threads and, without a range of the grid, blocks have their own elements.
  std::string row = ofGrid ? "threadIdx.y" : "(blockIdx.x * blockDim.y + threadIdx.y)";
  if (ofGrid && w.extent(1) == 1)
    w.line(formatv("{0} at = i;", counter));
  else
    w.line(formatv("{0} at = i + ({1})({2}) * {3};", counter, counter, row, n));
  bool isGuarded = c.percent(25);
  if (isGuarded)
    w.line(formatv("if ({0}[at] % 3u != {1}u) {{", data, c.below(3)));
  updates ? update() : store();
  if (isGuarded)
    w.line("}");
  if (isWhile)
    w.line(formatv("i += {0};", step));
  w.line("}");
}

void Strides::flush() {
  if (!isShared)
    return;
  w.line("__syncthreads();");
  w.line(formatv("if (threadIdx.y == 0) for (unsigned e = threadIdx.x; e < 16; e += blockDim.x) "
                 "{0}[blockIdx.x * 16 + e] = held[e];",
                 counts));
}

void Strides::addGrains() {
  for (const char *width : {"2", "4", "8", "16"}) {
    std::string grain = std::string("iterations=") + width;
    w.grain(grain);
    w.grain(grain + ",for.pointers=16,for.aliases=none");
    w.grain(grain + ",for.aliases=none," + w.knownBlock());
    w.grain("block.x=2," + grain);
    w.grain("thread.x=2:contiguous," + grain + ",for.aliases=none");
    w.grain("thread.x=2," + grain);
  }
}

void Strides::write() {
  chooseSizes();
  uint32_t rows = w.extent(1) * (ofGrid ? 1 : w.blocks());
  uint32_t all = count * rows + 8;
  data = w.pointer("unsigned", w.memory(all), 0, /*isRestrict=*/c.percent(50));
  out = w.pointer("unsigned", w.memory(all), c.percent(20) ? 1 : 0, /*isRestrict=*/c.percent(50));
  counts = w.pointer("unsigned", w.memory(16 * w.blocks()), 0, /*isRestrict=*/c.percent(50));
  own = w.pointer("unsigned", w.memory(w.threads() * w.blocks()));
  n = w.scalar(counter == "int" ? "int" : "unsigned", count);
  declare();
  writeLoop();
  flush();
  if (c.percent(30))
    w.line(own + "[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = x;");
  addGrains();
}

void writeStrides(Writer &w) { Strides(w).write(); }

} // namespace regrain::fuzz::patterns
