//===- Parts.cpp - Threads skip parts of the code -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions guard loads and stores, and loads stand behind them, at the same elements by other
// names or at others. Two sides of a condition load and go on with the same instructions. Addresses
// are chosen among memories by branches. Rows of copies fill a shared array, each of which may be
// the last one. In the way are stores, atomic and volatile accesses, fences, barriers, calls, loops
// and threads that leave.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Parts {
public:
  explicit Parts(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void declare();
  void guardedPart();
  void sides();
  void chosen();
  void fill();
  void fillElement();
  void stepIn();
  void loadBehind();
  std::string someLoad();
  std::string someNumber() { return w.word({"x", "tid", "n"}, 1); }
  std::string condition() { return w.condition({"x", "tid", "n"}); }
  bool rarely() { return c.percent(12); }

  Writer &w;
  cooperation::Choices &c;
  uint32_t shift = 0; ///< `same[g + shift]` is `data[g]`
  uint32_t length = 0;
  bool mayLeave = true;
};

} // namespace

/// Each thread writes its own elements of `data`, `counts` and `tile`, and reads any of `in`.
void Parts::declare() {
  static const std::vector<uint32_t> sizes = {32, 64, 16, 33, 96};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 3));
  uint32_t all = w.threads() * w.blocks();
  shift = c.below(3);
  uint32_t data = w.memory(all + 8);
  w.pointer("const unsigned", w.memory(256), 0, c.percent(50), "in");
  w.pointer("unsigned", data, shift, false, "data");
  w.pointer(c.percent(50) ? "const unsigned" : "unsigned", data, 0, false, "same");
  w.pointer("unsigned", w.memory(all), 0, c.percent(50), "counts");
  w.pointer("unsigned", w.memory(all), 0, c.percent(50), "out");
  w.scalar("unsigned", c.between(0, 40), "n");
  length = w.threads() * c.between(2, 5) + (c.percent(60) ? c.below(w.threads()) : 0);
  w.sharesMemory();
  w.line(formatv("__shared__ unsigned tile[{0}];", length));
  w.line("unsigned tid = threadIdx.x;");
  w.line("unsigned g = blockIdx.x * blockDim.x + tid, x = in[tid & 255] + blockIdx.x;");
  w.line("unsigned own[4] = {x, n, 7, tid};");
  w.line(formatv("for (unsigned i = tid; i < {0}u; i += {1})\n    tile[i] = i * 3;", length,
                 w.threads()));
}

std::string Parts::someLoad() {
  switch (c.below(8)) {
  case 0:
    return "data[g]";
  case 1:
    return formatv("same[g + {0}]", shift);
  case 2:
    return "counts[g]";
  case 3:
    return "tile[tid]";
  case 4:
    return formatv("own[{0} & 3]", someNumber());
  default:
    return formatv("in[{0} & 255]", someNumber());
  }
}

/// What a thread does in a part that others skip.
void Parts::stepIn() {
  static const std::vector<const char *> rare = {
      "x += atomicAdd(&data[g], 3u);",
      "x ^= *(volatile unsigned *)&data[g];",
      "*(volatile unsigned *)&counts[g] = x;",
      "__threadfence();",
      "x += atomicInc(&counts[g], 9u);",
      "for (unsigned i = 0; i < (n & 3); ++i)\n      x = x * 5 + in[i];",
      "__threadfence_block();\n    data[g] = x;",
      "x += atomicExch(&tile[tid], x);"};
  switch (c.below(8)) {
  case 0:
    return w.line(formatv("data[g] = {0};", someNumber()));
  case 1:
    return w.line(formatv("counts[g] = x;"));
  case 2:
    return w.line(formatv("tile[tid] = {0};", someNumber()));
  case 3:
    return w.line(formatv("own[{0} & 3] = x;", someNumber()));
  case 4:
    return w.line(rarely() && mayLeave ? "return;" : c.of(rare));
  default:
    return w.line(formatv("x = x * 3 + {0};", someLoad()));
  }
}

void Parts::loadBehind() {
  if (rarely())
    w.line(c.percent(50) ? "__syncthreads();" : "__threadfence();");
  std::string name = w.fresh("v");
  w.line(formatv("unsigned {0} = {1};", name, someLoad()));
  if (c.percent(40))
    w.line(formatv("{0} += {1};", name, someLoad()));
  if (c.percent(30))
    w.line(formatv("tile[tid] = {0};", name));
  w.line(formatv("x = x * 7 + {0};", name));
}

void Parts::guardedPart() {
  bool couldLeave = mayLeave;
  mayLeave = couldLeave && rarely();
  w.line(formatv("if ({0}) {{", condition()));
  for (uint32_t count = c.between(1, 3); count > 0; --count)
    stepIn();
  if (c.percent(20)) {
    w.line(formatv("if ({0}) {{", condition()));
    stepIn();
    w.line("}");
  }
  w.line("}");
  for (uint32_t count = c.between(1, 2); count > 0; --count)
    loadBehind();
  mayLeave = couldLeave;
}

/// Two sides load, do the same behind that, and meet the threads that took neither.
void Parts::sides() {
  std::string v = w.fresh("v"), u = w.fresh("u");
  w.line(formatv("unsigned {0} = {1}, {2} = 5;", v, someNumber(), u));
  w.line(formatv("if ({0}) {{", condition()));
  w.line(formatv("if ({0}) {{", condition()));
  w.line(formatv("{0} = {1};", v, someLoad()));
  if (c.percent(30))
    stepIn();
  w.line("} else {");
  w.line(formatv("{0} = {1} + {2};", v, someLoad(), someNumber()));
  w.line("}");
  if (c.percent(60))
    w.line(formatv("{0} = {0} * {1} + {2};", v, c.between(2, 9), someNumber()));
  if (c.percent(50))
    w.line(formatv("{0} = in[{1} & 255] ^ {1};", u, v));
  if (rarely())
    w.line(formatv("{0} += __any_sync(__activemask(), 0 * {0});", v));
  if (rarely())
    stepIn();
  w.line(c.percent(50) ? "} else {" : "} else if (x & 2) {");
  w.line(formatv("{0} = {1};", u, someLoad()));
  w.line("}");
  w.line(formatv("x = x * 5 + ({0} ^ {1});", u, v));
}

/// An address of one memory or another, chosen by branches.
void Parts::chosen() {
  std::string q = w.fresh("q");
  w.line(formatv("const unsigned *{0};", q));
  w.line(formatv("if ({0}) {{", condition()));
  if (c.percent(40))
    stepIn();
  w.line(formatv("{0} = tile + tid;", q));
  w.line("} else {");
  if (c.percent(40))
    stepIn();
  static const std::vector<const char *> others = {"in + (x & 255)", "&data[g]", "own + (x & 3)",
                                                   "&counts[g]"};
  w.line(formatv("{0} = {1};", q, c.of(others)));
  w.line("}");
  if (c.percent(25))
    stepIn();
  w.line(formatv("x = x * 3 + *{0};", q));
}

/// The element at `i` of the tile, which no other thread touches.
void Parts::fillElement() {
  std::string from = formatv("in[{0} & 255]", w.word({"i", "i", "n", "tid"}, 1));
  if (rarely())
    from = "data[g]";
  else if (rarely())
    from = formatv("same[g + {0}]", shift);
  switch (c.below(15)) {
  case 0:
    return w.line(formatv("tile[i] = {0} * 3 + {1};", from, from));
  case 1:
    return w.line(formatv("tile[i] += {0};", from));
  case 2:
    w.line(formatv("tile[i] = {0};", from));
    return w.line(c.percent(50) ? "data[g] = i;" : "counts[g] += i;");
  case 3:
    w.line(formatv("unsigned loaded = {0};", from));
    w.line("tile[i] = loaded;");
    return w.line(formatv("if (loaded % {0} == 1)\n      {1};", c.between(2, 9),
                          c.percent(50) ? "break" : "continue"));
  case 4:
    return w.line(formatv("*(volatile unsigned *)&tile[i] = {0};", from));
  case 5:
    return w.line(formatv("atomicXor(&tile[i], {0});", from));
  case 6:
    return w.line(formatv("x ^= tile[i];\n    tile[i] = {0};", from));
  default:
    return w.line(formatv("tile[i] = {0};", from));
  }
}

void Parts::fill() {
  w.line("__syncthreads();");
  if (c.percent(90))
    w.line("#pragma unroll");
  std::string end =
      c.percent(75) ? std::to_string(length) + "u" : formatv("min({0}u, n * 8)", length);
  w.line(formatv("for (unsigned i = tid; i < {0}; i += {1}) {{", end, w.threads()));
  if (c.percent(35)) // not the same for all elements behind it
    w.line(formatv("if ((i * {0} >> 3 & 3) == {1})\n      break;", c.percent(50) ? "n" : "5",
                   c.below(4)));
  fillElement();
  w.line("}");
  w.line("__syncthreads();");
  w.line(formatv("x += tile[{0} % {1}u];", someNumber(), length));
  w.line("__syncthreads();");
}

void Parts::write() {
  declare();
  // Threads that have left come to no barrier.
  static void (Parts::*const kinds[])() = {&Parts::guardedPart, &Parts::guardedPart, &Parts::sides,
                                           &Parts::sides,       &Parts::chosen,      &Parts::fill,
                                           &Parts::fill};
  mayLeave = false;
  for (uint32_t count = c.between(2, 5); count > 0; --count)
    (this->*kinds[c.below(std::size(kinds))])();
  if (c.percent(25)) {
    mayLeave = true;
    c.percent(50) ? guardedPart() : sides();
  }
  w.line("out[g] = x + own[1] + tile[tid];");
}

void writeParts(Writer &w) { Parts(w).write(); }

} // namespace regrain::fuzz::patterns
