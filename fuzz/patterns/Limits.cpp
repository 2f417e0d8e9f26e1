//===- Limits.cpp - Loops end at limits of other types --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of 64 bits run to limits of 32 bits, from below, from above, past them, and over the
// ends of both types; conditions in the loop end it earlier. Loops run over small arrays of the
// thread, also through inline assembly that computes, and end at limits of their own.
//
//===----------------------------------------------------------------------===//
#include "fuzz/patterns/Patterns.h"

#include "fuzz/patterns/Writer.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace regrain::fuzz::patterns {

namespace {

class Limits {
public:
  explicit Limits(Writer &w) : w(w), c(w.choices()) {}

  void write();

private:
  void limit();
  void body();
  void array();
  void twoArrays();
  void element(const std::string &place);
  std::string someEnd();
  std::string widened(const std::string &number);
  std::string someNumber() { return w.word({"x", "tid", "in[tid & 63]"}, 1); }
  std::string condition() { return w.condition({"x", "tid", "n"}); }

  Writer &w;
  cooperation::Choices &c;
};

} // namespace

/// A number of 32 bits at which counters begin or end.
std::string Limits::someEnd() {
  static const std::vector<const char *> ends = {
      "first", "0",   "first + 3",   "first",           "last",          "first + n", "last - n",
      "n",     "tid", "first + tid", "(x & 7) + first", "in[x & 63] % 9"};
  return c.of(ends);
}

void Limits::body() {
  for (uint32_t count = c.between(1, 2); count > 0; --count)
    switch (c.below(6)) {
    case 0:
      w.line(formatv("if ({0})\n      continue;", w.condition({"x", "steps", "unsigned(i)"})));
      break;
    case 1:
      w.line(formatv("if (in[(i ^ steps) & 63] % {0} == 1)\n      x += 5;", c.between(2, 9)));
      break;
    case 2:
      w.line(formatv("if (x % {0} == 1)\n      break;", c.between(3, 20)));
      break;
    case 3:
      w.line("if (unsigned(i >> 16) & 1)\n      x ^= 0x55;");
      break;
    case 4:
      w.line("if (x & 1)\n      out[g] = x + unsigned(i >> 31);");
      break;
    default:
      w.line("x = x * 3 + in[i & 63] + unsigned(i);");
    }
}

/// The number as it is, or more bits made of it.
std::string Limits::widened(const std::string &number) {
  static const std::vector<const char *> wide = {"{0}",
                                                 "{0}",
                                                 "{0}",
                                                 "{0}",
                                                 "{0}",
                                                 "{0} + 1ull",
                                                 "{0} * 3ll",
                                                 "{0} + 0x100000000ull",
                                                 "{0} + 0x100000000ull",
                                                 "size_t({0}) << (n & 1)"};
  return formatv(c.of(wide), number);
}

/// A loop that ends at its limit, or after a few iterations.
void Limits::limit() {
  static const std::vector<const char *> types = {"size_t",    "size_t",   "unsigned long long",
                                                  "long long", "unsigned", "int"};
  std::string type = c.of(types),
              first = c.percent(40)   ? "first"
                      : c.percent(40) ? "0"
                                      : someEnd(),
              last = c.percent(60) ? "last" : someEnd();
  if (type == "int") // which may not pass its last number
    first = formatv("(int)({0}) / 2", first);
  if (c.percent(15))
    last = formatv("(int)({0})", last);
  std::string end = w.fresh("end");
  w.line(formatv("const {0} {1} = {2};", type, end, widened(last)));
  static const std::vector<const char *> senses = {"!=", "!=", "<", "<", "<="};
  static const std::vector<const char *> steps = {"++i", "++i", "++i", "++i", "i += 2", "i += n"};
  w.line("steps = 0;");
  // A bound that is not known keeps the loop from being unrolled completely.
  std::string most = c.percent(80) ? "n + 3" : std::to_string(c.between(4, 12));
  bool isRolled = c.percent(40), isFor = c.percent(75);
  if (!isFor)
    w.line(formatv("{0} i{1} = {2};", type, end, first));
  if (isRolled)
    w.line("#pragma unroll 1");
  if (isFor) {
    w.line(formatv("for ({0} i = {1}; i {2} {3}; {4}) {{", type, first, c.of(senses), end,
                   c.of(steps)));
    w.line(formatv("if (++steps > {0})\n      break;", most));
    body();
  } else {
    w.line("do {");
    w.line(formatv("{0} i = i{1}++;", type, end));
    w.line(formatv("if (++steps > {0})\n      break;", most));
    body();
    w.line(formatv("} while (i{0} {1} {0});", end, c.percent(60) ? "!=" : "<"));
    return;
  }
  w.line("}");
}

/// Computes with an element, by an operator or by assembly.
void Limits::element(const std::string &place) {
  static const std::vector<const char *> texts = {
      "asm(\"mad.lo.u32 %0, %1, %2, %0;\" : \"+r\"({0}) : \"r\"(x), \"r\"({1}));",
      "asm volatile(\"add.u32 %0, %0, %1;\" : \"+r\"({0}) : \"r\"({1}));",
      "asm(\"xor.b32 %0, %1, %2;\" : \"=r\"({0}) : \"r\"({0}), \"r\"({1}) : \"memory\");",
      "asm(\"{{ .reg .u32 t; shl.b32 t, %1, 3; sub.u32 %0, t, %1; }\" : \"=r\"({0}) : \"r\"({1}));",
      "asm(\"{{ .reg .u32 t; mad.lo.u32 t, %1, %2, %0; xor.b32 t, t, %2; add.u32 t, t, %1; "
      "mad.lo.u32 t, t, t, %1; sub.u32 %0, t, %0; }\" : \"+r\"({0}) : \"r\"(x), \"r\"({1}));",
      "asm(\"min.s32 %0, %0, %1;\" : \"+r\"({0}) : \"r\"({1}));",
      "{0} = {0} * 5 + {1};",
      "{0} ^= {1};",
      "if ({1} & 1)\n      {0} += 7;"};
  w.line(formatv(c.of(texts), place, someNumber()));
}

/// Loops over an array of the thread.
void Limits::array() {
  std::string a = w.fresh("a");
  uint32_t size = c.of(std::vector<uint32_t>{4, 6, 8, 16});
  bool isVolatile = c.percent(10);
  w.line(formatv("{0}unsigned {1}[{2}] = {{x, n, 3};", isVolatile ? "volatile " : "", a, size));
  for (uint32_t count = c.between(1, 3); count > 0; --count) {
    std::string end = std::to_string(size);
    if (c.percent(30))
      end = formatv("min(n, {0}u)", size);
    else if (c.percent(20))
      end = formatv("(x & {0}u)", size - 1);
    if (c.percent(15))
      w.line("#pragma unroll 2");
    w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", end));
    static const std::vector<const char *> indices = {"i",     "i",       "i",
                                                      "i ^ 1", "{0} - i", "(i + n) % {1}"};
    std::string index = formatv(c.of(indices), size - 1, size);
    if (isVolatile)
      w.line(formatv("{0}[{1}] = {0}[{1}] * 3 + x;", a, index));
    else
      element(formatv("{0}[{1}]", a, index));
    if (c.percent(15))
      w.line(formatv("if (x % {0} == 1)\n      break;", c.between(3, 20)));
    if (c.percent(30))
      w.line(formatv("x = x * 3 + {0}[i];", a));
    w.line("}");
  }
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i)\n    x = x * 31 + {1}[i];", size, a));
}

/// A loop in a loop over an array of two dimensions, as over the sums of a tile.
void Limits::twoArrays() {
  std::string a = w.fresh("a"), row = w.fresh("row");
  static const std::vector<uint32_t> extents = {2, 3, 4, 8, 8};
  uint32_t rows = c.of(extents), columns = c.of(extents);
  w.line(formatv("unsigned {0}[{1}][{2}] = {{}, {3}[{1}];", a, rows, columns, row));
  w.line(formatv("for (unsigned k = 0; k < {0}; ++k) {{",
                 c.percent(50) ? std::string("n") : std::to_string(c.between(1, 4))));
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i)\n      {1}[i] = in[(k * 4 + i + tid) & 63];",
                 rows, row));
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i) {{", rows));
  w.line(formatv("for (unsigned j = 0; j < {0}; ++j) {{",
                 c.percent(70) ? std::to_string(columns) : formatv("min(n, {0}u)", columns).str()));
  element(a + "[i][j]");
  w.line(formatv("{0}[i][j] += {1}[i];", a, row));
  w.line("}");
  w.line("}");
  w.line("}");
  w.line(formatv("for (unsigned i = 0; i < {0}; ++i)\n    x = x * 31 + (&{1}[0][0])[i];",
                 rows * columns, a));
}

void Limits::write() {
  static const std::vector<uint32_t> sizes = {32, 64, 16, 33, 96};
  static const std::vector<uint32_t> ends = {0, 1, 5, 3, 0xfffffffa, 0xfffffffe, 0x7ffffffc, 40};
  w.launch({c.of(sizes), 1, 1}, c.between(1, 3));
  w.pointer("const unsigned", w.memory(64), 0, c.percent(50), "in");
  w.pointer("unsigned", w.memory(w.threads() * w.blocks()), 0, c.percent(50), "out");
  w.scalar("unsigned", c.of(ends), "first");
  w.scalar("unsigned", c.of(ends), "last");
  w.scalar("unsigned", c.between(0, 9), "n");
  w.line("unsigned tid = threadIdx.x, g = blockIdx.x * blockDim.x + tid;");
  w.line("unsigned x = in[tid & 63] + blockIdx.x, steps = 0;");
  static void (Limits::*const kinds[])() = {&Limits::limit, &Limits::limit, &Limits::limit,
                                            &Limits::array, &Limits::array, &Limits::twoArrays};
  for (uint32_t count = c.between(2, 4); count > 0; --count)
    (this->*kinds[c.below(std::size(kinds))])();
  w.line("out[g] = x + steps;");
}

void writeLimits(Writer &w) { Limits(w).write(); }

} // namespace regrain::fuzz::patterns
